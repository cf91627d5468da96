/**
 * Certificates of providers on loopback, all for one key that has no other use. Each is self-signed:
 * trusting one trusts that server alone. Any tool makes others like them: a P-256 key, `subjectAltName` IP 127.0.0.1, or
 * DNS elsewhere.example.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** `elsewhere` is for another host name, `expired` since 2001; the others are good until 2126. */
export type CertificateName = 'trusted' | 'unknown' | 'elsewhere' | 'expired';

/** As `node:tls` expects them. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export function certificate(name: CertificateName): Certificate {
  return { key: read('key'), cert: read(name) };
}

/** For this process, from now on: new connections trust these, in addition to Node's own list. */
export function trust(...names: readonly CertificateName[]): void {
  setDefaultCACertificates([...getCACertificates('default'), ...names.map(read)]);
}

function read(name: CertificateName | 'key'): string {
  return readFileSync(certificateFile(name), 'utf8');
}

/** Where a separate program finds a certificate to trust (`NODE_EXTRA_CA_CERTS`). */
export function certificateFile(name: CertificateName | 'key'): string {
  return join(import.meta.dirname, 'certificates', `${name}.pem`);
}
