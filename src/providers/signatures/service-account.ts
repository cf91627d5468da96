/**
 * A service account of Google Cloud, as its JSON key file has it, and the grant that turns it into an access token.
 *
 * https://developers.google.com/identity/protocols/oauth2/service-account#httprest
 */
import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { asText, type JsonObject, parseObject } from '../../core/json-object.ts';
import type { Outside } from '../outside.ts';
import { askForToken, lifetimeMs, tokenText, unusable } from './ask-for-token.ts';
import type { Renewed } from './renewal.ts';
import { isSafeAddress } from './safe-address.ts';

export interface ServiceAccount {
  readonly email: string;
  readonly keyId: string | null;
  readonly key: KeyObject;
  readonly tokenAddress: URL;
  readonly project: string | null;
}

const TOKEN_ADDRESS = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
/** The longest that Google accepts. */
const GRANT_SECONDS = 3600;

/** Null for text that is not JSON. Throws a `TypeError` whose message continues "The provider … ". */
export function readServiceAccount(text: string): ServiceAccount | null {
  const file = readKeyFile(text);
  if (file === null) return null;
  const { fields, email, pem } = file;
  return {
    email,
    key: readKey(pem),
    keyId: asText(fields['private_key_id']),
    tokenAddress: readTokenAddress(asText(fields['token_uri'])),
    project: asText(fields['project_id']),
  };
}

/** Throws `GatewayError` 502. */
export async function fetchGoogleToken(account: ServiceAccount, outside: Outside): Promise<Renewed<string>> {
  const service = "Google's token service";
  const { origin, pathname, search } = account.tokenAddress;
  const body = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: grant(account, outside.clock.now()),
  });
  const { object } = await askForToken(outside, service, {
    origin,
    method: 'POST',
    path: pathname + search,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(body.toString()),
  });
  const value = tokenText(object['access_token']);
  const lives = lifetimeMs(object['expires_in']);
  if (value === null || lives === null) throw unusable(service);
  return { value, lifetimeMs: lives };
}

/** A JWT signed with RS256: https://www.rfc-editor.org/rfc/rfc7515 */
function grant({ email, keyId, key, tokenAddress }: ServiceAccount, nowMs: number): string {
  const now = Math.floor(nowMs / 1000);
  const header = { alg: 'RS256', typ: 'JWT', ...(keyId !== null && { kid: keyId }) };
  const claims = { iss: email, scope: SCOPE, aud: tokenAddress.href, iat: now, exp: now + GRANT_SECONDS };
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

function readKey(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // Not swallowed: the error below says it, without the parser's words.
  }
  throw new TypeError('has a service account whose private_key is not an RSA key in PEM');
}

/** A key file may name another address; the key itself is never sent, only a grant for that address. */
function readTokenAddress(text: string | null): URL {
  const url = URL.parse(text ?? TOKEN_ADDRESS);
  if (url === null || !isSafeAddress(url))
    throw new TypeError('has a service account whose token_uri is not an https address');
  return url;
}

/** The project that a credential belongs to; null if it does not say. Throws as `readServiceAccount` does. */
export function projectOf(text: string): string | null {
  const file = readKeyFile(text);
  return file === null ? null : asText(file.fields['project_id']);
}

interface KeyFile {
  readonly fields: JsonObject;
  readonly email: string;
  readonly pem: string;
}

/** Null for text that is not JSON. */
function readKeyFile(text: string): KeyFile | null {
  if (!text.startsWith('{')) return null;
  const fields = parseObject(text);
  if (fields === null) throw new TypeError('has a credential that begins like JSON but is none');
  const email = asText(fields['client_email']);
  const pem = asText(fields['private_key']);
  if (email !== null && pem !== null) return { fields, email, pem };
  throw new TypeError(
    'needs as its credential the JSON key of a service account (with client_email and private_key), or an access token',
  );
}
