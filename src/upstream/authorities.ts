/** Certificate authorities that are trusted in addition to Node's own and those of `NODE_EXTRA_CA_CERTS`. */
import { X509Certificate } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';

const CERTIFICATE = '-----BEGIN CERTIFICATE-----';

/** Reads a file of certificates in PEM. Throws an `Error` that says what is wrong with it. */
export function openAuthorities(path: string): SecureContext {
  return createSecureContext({ ca: [...getCACertificates('default'), ...readAuthorities(path)] });
}

/** The certificates of the file, each as PEM. Throws an `Error` that says what is wrong with it. */
export function readAuthorities(path: string): readonly string[] {
  let text: string;
  try {
    text = readRegularFile(path);
  } catch (error) {
    throw new Error(`the file cannot be read: ${(error as Error).message}`, { cause: error });
  }
  const certificates = text
    .split(CERTIFICATE)
    .slice(1)
    .map((rest) => CERTIFICATE + rest);
  if (certificates.length === 0) throw new Error(`${path} holds no certificate in PEM ("${CERTIFICATE}")`);
  for (const [index, certificate] of certificates.entries()) {
    try {
      new X509Certificate(certificate);
    } catch (error) {
      throw new Error(`certificate ${index + 1} of ${path} cannot be read`, { cause: error });
    }
  }
  return certificates;
}

/** Only regular files: reading a pipe could wait for ever. */
function readRegularFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is no regular file`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}
