/**
 * The origins of pages that may use a key: scheme, host and port as browsers send them (https://fetch.spec.whatwg.org/#origin-header). One
 * label at the beginning of the host may be `*`, for all hosts with one label more: `https://*.example.com`.
 */
import { GatewayError } from '../core/errors.ts';

/** Origins of one key. */
export const ORIGINS_MAX = 20;
/** Characters in one. */
export const ORIGIN_LENGTH_MAX = 200;
/** Characters in all of one key. */
export const ORIGINS_LENGTH_MAX = 1_000;

const WEB = /^https?:\/\//i;
const WILDCARD = '*.';
/** Takes the place of `*` while the rest is parsed. */
const ANY_LABEL = 'any';
/** Of apps and extensions: `app://obsidian.md`, `chrome-extension://…`. Browsers send these hosts as they are. */
const OTHER = /^[a-z][a-z0-9+.-]{0,31}:\/\/[A-Za-z0-9._-]{1,150}(?::\d{1,5})?$/;
/** Schemes that have no origin, or one that any file can have. */
const NEVER: ReadonlySet<string> = new Set(['file', 'data', 'blob', 'javascript', 'about', 'ws', 'wss', 'ftp']);

/**
 * As browsers send them, each once, in order. Throws `GatewayError` `invalid_value` with the field for anything that is no origin, too many,
 * and too long ones.
 */
export function parseOrigins(texts: readonly string[]): readonly string[] {
  if (texts.length === 0) throw invalid('origins', 'an empty list would refuse every page; null removes the list');
  if (texts.length > ORIGINS_MAX) throw invalid('origins', `a key has at most ${ORIGINS_MAX}`);
  const origins = [...new Set(texts.map((text, index) => parsed(text, `origins[${index}]`)))];
  if (lengthOf(origins) > ORIGINS_LENGTH_MAX)
    throw invalid('origins', `all together have at most ${ORIGINS_LENGTH_MAX} characters`);
  return origins;
}

/** Returns the list, or an empty one, which allows no page, if it exceeds the limits: the row may have been written by another program. */
export function boundedOrigins(origins: readonly string[] | undefined): readonly string[] | undefined {
  if (origins === undefined) return undefined;
  return origins.length <= ORIGINS_MAX && lengthOf(origins) <= ORIGINS_LENGTH_MAX ? origins : NO_PAGE;
}

const NO_PAGE: readonly string[] = Object.freeze([]);

/** `origin` as a browser sent it. */
export function isOriginIn(origins: readonly string[], origin: string): boolean {
  return patternsOf(origin).some((pattern) => origins.includes(pattern));
}

/** What a key may have in its list so that a page of this origin may use it. At most two. */
export function patternsOf(origin: string): readonly string[] {
  if (origin.length > ORIGIN_LENGTH_MAX) return [];
  const host = origin.indexOf('://') + 3;
  const dot = origin.indexOf('.', host);
  const isDeep = host > 2 && dot > host && origin.indexOf('.', dot + 1) !== -1;
  return isDeep ? [origin, `${origin.slice(0, host)}*${origin.slice(dot)}`] : [origin];
}

function parsed(text: string, field: string): string {
  if (text.length > ORIGIN_LENGTH_MAX) throw invalid(field, `an origin has at most ${ORIGIN_LENGTH_MAX} characters`);
  if (WEB.test(text)) return parsedWeb(text, field);
  const scheme = text.slice(0, Math.max(0, text.indexOf(':')));
  if (!OTHER.test(text) || NEVER.has(scheme)) throw invalid(field, EXAMPLES);
  return text;
}

function parsedWeb(text: string, field: string): string {
  const start = text.indexOf('://') + 3;
  const isWildcard = text.startsWith(WILDCARD, start);
  const url = URL.parse(isWildcard ? `${text.slice(0, start)}${ANY_LABEL}${text.slice(start + 1)}` : text);
  if (url === null || text.slice(start).includes('*', isWildcard ? 1 : 0)) throw invalid(field, EXAMPLES);
  const place = text.slice(start);
  const isBare =
    url.pathname === '/' &&
    !/[?#@\\]/.test(place) &&
    place.indexOf('/') === place.lastIndexOf('/') &&
    url.username === '';
  if (!isBare) throw invalid(field, 'it must have nothing after host and port');
  if (!isWildcard) return url.origin;
  const rest = url.hostname.slice(ANY_LABEL.length + 1);
  // `*.com` would be everybody's, and an address has no subdomains.
  if (!rest.includes('.') || /^[\d.]+$/.test(rest)) throw invalid(field, 'what follows *. must be a domain with a dot');
  return url.origin.replace(`//${ANY_LABEL}.`, `//${WILDCARD}`);
}

const EXAMPLES = 'an origin is like https://app.example.com, http://localhost:3000 or https://*.example.com';

function lengthOf(origins: readonly string[]): number {
  return origins.reduce((sum, { length }) => sum + length, 0);
}

function invalid(param: string, reason: string): GatewayError {
  return new GatewayError('invalid_value', { message: `${param} is not accepted: ${reason}.`, param });
}
