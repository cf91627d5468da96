/**
 * Authenticates a request by its raw headers against the key mirror. `Authorization: Bearer` or `X-API-Key` is enough, and so is the header
 * that a format's own clients use, where that format is spoken. Fails closed: a key that is not known to be valid is refused.
 */
import { GatewayError } from '../core/errors.ts';
import type { KeyId } from '../core/ids.ts';
import type { KeyMirror } from './key-mirror.ts';
import { isGood, type Key } from './keys.ts';
import { SECRET_PREFIX, secretShape } from './secret/key-secret.ts';

/**
 * The inference key of a call to the data plane. `rawHeaders` is Node's flat list of names and values; `ownHeader` is another header, in
 * lower case, that may carry the key, null without one. Throws `GatewayError`: 400 for a header sent twice or two different valid keys; 401
 * for no valid key; 403 for a management key (its holder must know that it is the wrong kind, and already knows that it exists); 503 if the
 * mirror is unavailable and the key unknown to it, or the mirror is stale.
 */
export function authenticate(
  rawHeaders: readonly string[],
  mirror: KeyMirror,
  nowMs: number,
  ownHeader: string | null = null,
): Key {
  const key = identify(rawHeaders, mirror, nowMs, ownHeader);
  if (key.kind === 'inference') return key;
  throw new GatewayError('permission_denied', {
    message: 'This is a management key, which cannot call models. Use an inference key.',
  });
}

/** The valid key of any kind that a request carries; throws as `authenticate` does, except 403. */
export function identify(
  rawHeaders: readonly string[],
  mirror: KeyMirror,
  nowMs: number,
  ownHeader: string | null = null,
): Key {
  const authorization = singleHeader(rawHeaders, 'authorization');
  const bearer = bearerSecret(authorization);
  const plain = singleHeader(rawHeaders, 'x-api-key').trim();
  const own = ownHeader === null ? '' : singleHeader(rawHeaders, ownHeader).trim();
  if (bearer === '' && plain === '' && own === '')
    throw refusal(whyNone(authorization.trim(), rawHeaders, ownHeader), ownHeader);

  const first = bearer === '' ? null : goodKey(bearer, mirror, nowMs);
  const second = plain === '' || plain === bearer ? null : goodKey(plain, mirror, nowMs);
  const third = own === '' || own === bearer || own === plain ? null : goodKey(own, mirror, nowMs);
  const key = first ?? second ?? third;
  if ((first !== null && second !== null) || (third !== null && key !== third))
    throw new GatewayError('conflicting_credentials');
  if (key !== null) {
    if (mirror.state === 'stale') throw new GatewayError('auth_unavailable', { retryAfterSeconds: 1 });
    return key;
  }

  const sent = [bearer, plain, own];
  const wellFormed = sent.some(secretShape);
  // While the mirror cannot follow its source, an unknown well-formed key may have just been created elsewhere.
  if (wellFormed && mirror.state !== 'ready' && !sent.some((secret) => isKnown(secret, mirror))) throw new KeysBehind();
  throw wellFormed ? UNKNOWN_KEY : refusal(whyMalformed(sent), ownHeader);
}

/**
 * The key that made a batch, for one of its lines. Throws `GatewayError`: 401 if it is no longer valid; 503 if the mirror is stale, or does not
 * know the key and is not complete.
 */
export function keyOfBatch(id: KeyId, mirror: KeyMirror, nowMs: number): Key {
  if (mirror.state === 'stale') throw new GatewayError('auth_unavailable', { retryAfterSeconds: 1 });
  if (mirror.get(id) === undefined && mirror.state !== 'ready') throw new KeysBehind();
  return recheck({ id }, mirror, nowMs);
}

/** The current state of the key. Throws `GatewayError` 401 if it is no longer valid, for any reason. */
export function recheck(key: Pick<Key, 'id'>, mirror: KeyMirror, nowMs: number): Key {
  const current = mirror.get(key.id);
  if (current === undefined || !isGood(current, nowMs) || mirror.scopes.isArchived(current.projectId))
    throw refusal(REFUSED, null);
  return current;
}

/**
 * The current state of the key, checked again after a slow request body has arrived. Throws `GatewayError` 401, as for an unknown key, if
 * it is no longer valid. Reads memory only.
 */
export function checkStillGood({ id }: Pick<Key, 'id'>, mirror: KeyMirror, nowMs: number): Key {
  const key = mirror.get(id);
  if (key === undefined || !isUsable(key, mirror, nowMs)) throw UNKNOWN_KEY;
  return key;
}

/**
 * The 401 for a well-formed key that is not valid. A client that sends many of them is guessing, or ignores the answer: see
 * `BadKeyLimiter`.
 */
export class UnknownKey extends GatewayError {
  constructor() {
    super('invalid_api_key', { message: REFUSED });
  }
}

/** The 503 for a well-formed key that is unknown while the mirror is behind its source, where the key may exist. */
export class KeysBehind extends GatewayError {
  constructor() {
    super('auth_unavailable', { retryAfterSeconds: 1 });
  }
}

const MISSING = 'No API key was sent.';
const OTHER_SCHEME = "The Authorization header does not start with 'Bearer '.";
const UNSET_HINT = 'The environment variable with the key is probably not set where the request is made.';
const EMPTY_BEARER = `The Authorization header contains no key after 'Bearer'. ${UNSET_HINT}`;
const UNSET = `Instead of an API key, the request contains the name of a variable or an empty value ('undefined', 'null', 'None'). ${UNSET_HINT}`;
const MALFORMED =
  "This is not an API key of this gateway. Its keys start with 'sk-tp-' and are 55 characters long; check that it is not the key of a model vendor.";
const MISTYPED = 'This API key is mistyped, truncated or has extra characters. Copy the whole key again.';
/**
 * One message for unknown, revoked, expired and disabled keys and keys of an archived project, so that it does not reveal which of them
 * applies.
 */
const REFUSED =
  'This API key is not valid: it may be disabled, revoked, expired, or belong to another installation. Ask for a new key where you got this one.';

/** A single instance: it contains nothing about the request, and a flood of them must be cheap. */
const UNKNOWN_KEY = new UnknownKey();

/** In which clients of other formats and services send their keys, in lower case. */
const HEADERS_ELSEWHERE: readonly string[] = ['x-goog-api-key', 'api-key', 'apikey'];

/** Why no header contains a key. */
function whyNone(authorization: string, rawHeaders: readonly string[], ownHeader: string | null): string {
  if (/^bearer$/i.test(authorization)) return EMPTY_BEARER;
  if (authorization !== '') return OTHER_SCHEME;
  const isSent = (header: string): boolean =>
    rawHeaders.some((name, index) => index % 2 === 0 && name.toLowerCase() === header);
  if (ownHeader !== null && isSent(ownHeader)) return `The ${ownHeader} header is empty. ${UNSET_HINT}`;
  if (isSent('x-api-key')) return `The X-API-Key header is empty. ${UNSET_HINT}`;
  const other = HEADERS_ELSEWHERE.find(isSent);
  return other === undefined ? MISSING : `The header ${other} is not read for a key here.`;
}

/** Why no value has the shape of a key. At least one of them is not empty. */
function whyMalformed(sent: readonly string[]): string {
  if (sent.some(isUnsetVariable)) return UNSET;
  return sent.some((secret) => secret.startsWith(SECRET_PREFIX)) ? MISTYPED : MALFORMED;
}

/** Whether a client sent the name of a variable, or an empty value's text, instead of a key; the length is bounded. */
function isUnsetVariable(sent: string): boolean {
  return (
    sent.length <= 64 && /^(?:undefined|null|none|nil|\$\{?\w+\}?|%\w+%|\{\{\w+\}\}|process\.env\.\w+)$/i.test(sent)
  );
}

function refusal(why: string, ownHeader: string | null): GatewayError {
  const message = why === REFUSED || why === MISTYPED ? why : `${why} ${howToSend(ownHeader)}`;
  return new GatewayError('invalid_api_key', { message });
}

function howToSend(ownHeader: string | null): string {
  const ways = ["'Authorization: Bearer <key>'", "'X-API-Key: <key>'"];
  if (ownHeader !== null) ways.unshift(`'${ownHeader}: <key>'`);
  return `Send it as ${ways.slice(0, -1).join(', as ')} or as ${ways.at(-1)}.`;
}

function goodKey(secret: string, mirror: KeyMirror, nowMs: number): Key | null {
  const key = secretShape(secret) ? mirror.find(secret) : undefined;
  return key !== undefined && isUsable(key, mirror, nowMs) ? key : null;
}

/** Whether a key is accepted: it is good, its project is not archived, and its account is not closed. */
export function isUsable(key: Key, mirror: KeyMirror, nowMs: number): boolean {
  return isGood(key, nowMs) && !mirror.scopes.isArchived(key.projectId);
}

function isKnown(secret: string, mirror: KeyMirror): boolean {
  return secretShape(secret) && mirror.find(secret) !== undefined;
}

/**
 * The value of a header, or '' if it was not sent. Node keeps the first `Authorization` and joins two `X-API-Key`, so only the raw list
 * shows that one was sent twice.
 */
function singleHeader(rawHeaders: readonly string[], name: string): string {
  let value: string | null = null;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] as string;
    if (sent.length !== name.length || sent.toLowerCase() !== name) continue;
    if (value !== null)
      throw new GatewayError('duplicate_header', { message: `The header ${name} was sent twice.`, param: name });
    value = rawHeaders[index + 1] as string;
  }
  return value ?? '';
}

/** The secret of an `Authorization` header, or '' if it uses another scheme. RFC 9110, 11.1: the scheme is case-insensitive. */
function bearerSecret(header: string): string {
  const separator = header[6];
  if (separator !== ' ' && separator !== '\t') return '';
  return header.slice(0, 6).toLowerCase() === 'bearer' ? header.slice(7).trim() : '';
}
