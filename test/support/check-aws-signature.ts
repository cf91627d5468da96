/** Checks a request's signature with Amazon's own package. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { type Received, Refusal } from './strict-server.ts';

export interface AwsAccount {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Throws a `Refusal` as AWS does for a request that is not signed, or not as it arrived. */
export async function checkAwsSignature(received: Received, account: AwsAccount): Promise<void> {
  const { authorization = '', 'x-amz-date': date } = received.headers;
  const scope = AUTHORIZATION.exec(authorization)?.groups;
  if (scope === undefined || typeof date !== 'string')
    throw new Refusal(403, 'Missing Authentication Token', { type: 'MissingAuthenticationTokenException' });
  const { key, day, region, service, signed = '' } = scope;
  if (
    key !== account.accessKeyId ||
    region !== account.region ||
    service !== 'bedrock' ||
    !date.startsWith(String(day))
  )
    throw new Refusal(403, 'The security token included in the request is invalid.', {
      type: 'UnrecognizedClientException',
    });
  const names = signed.split(';');
  const { authorization: expected = '' } = await sign(received, account, names, dateOf(date));
  const given = Buffer.from(authorization);
  if (given.length !== expected.length || !timingSafeEqual(given, Buffer.from(expected)))
    throw new Refusal(403, 'The request signature we calculated does not match the signature you provided.', {
      type: 'InvalidSignatureException',
    });
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=(?<key>\w+)\/(?<day>\d{8})\/(?<region>[\w-]+)\/(?<service>\w+)\/aws4_request, SignedHeaders=(?<signed>[\w;-]+), Signature=[0-9a-f]{64}$/;

async function sign(received: Received, account: AwsAccount, names: readonly string[], signingDate: Date) {
  const { region, ...credentials } = account;
  const signer = new SignatureV4({
    service: 'bedrock',
    region,
    credentials,
    sha256: Sha256,
    uriEscapePath: true,
    applyChecksum: false,
  });
  const [path = '/', query = ''] = received.path.split('?');
  if (query !== '') throw new Error('a request with a query is not expected');
  const headers = Object.fromEntries(names.map((name) => [name, String(received.headers[name])]));
  const request = { method: 'POST', protocol: 'http:', hostname: '127.0.0.1', path, headers, body: received.bytes };
  const signed = await signer.sign(request, { signingDate, signableHeaders: new Set(names) });
  return signed.headers;
}

/** `20261123T084135Z` */
function dateOf(date: string): Date {
  return new Date(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

/** As the package wants a digest to be made, with a key or without. */
class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('not used');
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.from(data);
}
