/**
 * AWS Signature Version 4, for one request with its body.
 *
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
import { createHash, createHmac } from 'node:crypto';
import type { Body } from '../../core/body.ts';
import type { AwsKeys } from './aws-keys.ts';

export interface AwsRequest {
  readonly method: string;
  readonly host: string;
  /** As it is sent: its segments are percent-encoded once. */
  readonly path: string;
  /** Without the `?`; parameters as they are sent. */
  readonly query: string;
  /** Lower-case names. Those named `content-type` or `x-amz-…` are signed, as well as the host. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body | null;
}

export interface AwsScope {
  readonly region: string;
  readonly service: string;
}

/** The headers to add: `authorization`, `x-amz-date`, and `x-amz-security-token` for keys that end. `nowMs` is by AWS's clock. */
export function signAwsRequest(
  request: AwsRequest,
  keys: AwsKeys,
  { region, service }: AwsScope,
  nowMs: number,
): Record<string, string> {
  const time = new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const added: Record<string, string> = { 'x-amz-date': time };
  if (keys.sessionToken !== null) added['x-amz-security-token'] = keys.sessionToken;
  const signed = signedHeaders({ ...request.headers, ...added, host: request.host });
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    request.method,
    canonicalPath(request.path),
    canonicalQuery(request.query),
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    hashOf(request.body),
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  const signature = hmac(signingKey(keys, day, region, service), text).toString('hex');
  return {
    ...added,
    authorization: `AWS4-HMAC-SHA256 Credential=${keys.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/** By name, each value without surplus blanks. */
function signedHeaders(headers: Readonly<Record<string, string>>): readonly (readonly [name: string, value: string])[] {
  return Object.entries(headers)
    .filter(([name]) => name === 'host' || name === 'content-type' || name.startsWith('x-amz-'))
    .map(([name, value]) => [name, value.trim().replace(/ +/g, ' ')] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Every service but S3 encodes the path as sent a second time. */
function canonicalPath(path: string): string {
  return path.split('/').map(awsEncode).join('/');
}

/** Sorted by name, then by value, in bytes. */
function canonicalQuery(query: string): string {
  if (query === '') return '';
  return query
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const [name, value] = equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
      return [awsEncode(decodeURIComponent(name)), awsEncode(decodeURIComponent(value))] as const;
    })
    .toSorted(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Percent-encodes everything but letters, digits and `-_.~`. */
export function awsEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hashOf(body: Body | null): string {
  const hash = createHash('sha256');
  if (Buffer.isBuffer(body)) hash.update(body);
  else for (const part of body ?? []) hash.update(part);
  return hash.digest('hex');
}

/** A key signs for one day, region and service: by the keys, the newest scope and what was derived for it. */
const derived = new WeakMap<AwsKeys, { readonly scope: string; readonly key: Buffer }>();

function signingKey(keys: AwsKeys, day: string, region: string, service: string): Buffer {
  const scope = `${day}/${region}/${service}`;
  const known = derived.get(keys);
  if (known?.scope === scope) return known.key;
  const key = [day, region, service, 'aws4_request'].reduce<Buffer>(
    (last, part) => hmac(last, part),
    Buffer.from(`AWS4${keys.secretAccessKey}`),
  );
  derived.set(keys, { scope, key });
  return key;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
