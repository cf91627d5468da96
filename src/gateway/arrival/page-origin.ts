/**
 * Calls from pages of other origins (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol). A key with a list of origins may be used by
 * these pages and no other; a key without one gets no answer that a page could read. A preflight brings no key, so it is answered by whether
 * any key has the origin, and so is an error that comes before the key is known: neither says which keys there are.
 */
import type { IncomingMessage } from 'node:http';
import type { KeyMirror } from '../../accounts/key-mirror.ts';
import type { Key } from '../../accounts/keys.ts';
import { isOriginIn, ORIGIN_LENGTH_MAX } from '../../accounts/origins.ts';
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';

export interface OriginPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly keys: Pick<KeyMirror, 'allowsOrigin'>;
}

/** What an answer varies by. */
export const VARY: readonly string[] = ['vary', 'Origin'];

/** Headers, names and values in turn, with which a page of this origin may read an answer. Null: none. */
export function originHeaders(origin: string | null): readonly string[] {
  if (origin === null) return NONE;
  return ['access-control-allow-origin', origin, 'access-control-expose-headers', '*', ...VARY];
}

const NONE: readonly string[] = [];

/** The same for a preflight. `*` is all headers but `Authorization`, which has to be named. */
export function preflightHeaders(origin: string): readonly string[] {
  return [
    'access-control-allow-origin',
    origin,
    'access-control-allow-methods',
    'GET, POST, DELETE',
    'access-control-allow-headers',
    'authorization, *',
    'access-control-max-age',
    PREFLIGHT_SECONDS,
    ...VARY,
  ];
}

/** As long as browsers keep it at most. A call is judged by its key, whatever the preflight said. */
const PREFLIGHT_SECONDS = '7200';

/** The origin of a request while its key is not known, if some key has it; null otherwise. */
export function originOfSomeKey({ keys, clock }: OriginPorts, origin: string | null): string | null {
  return origin !== null && keys.allowsOrigin(origin, clock.now()) ? origin : null;
}

/**
 * The origin that may read the answer to a request with this key; null without one, and for a key without a list. Throws `GatewayError`
 * `origin_not_allowed` for a page that is not in the list.
 */
export function judgeOrigin({ origins }: Pick<Key, 'origins'>, origin: string | null): string | null {
  if (origin === null || origins === undefined) return null;
  if (isOriginIn(origins, origin)) return origin;
  const shown = origin.length > ORIGIN_LENGTH_MAX ? `${origin.slice(0, ORIGIN_LENGTH_MAX)}…` : origin;
  // The list itself is not disclosed; the origin is the caller's own, and needed to fix the list.
  throw new GatewayError('origin_not_allowed', {
    message: `This key can only be used by pages of certain origins, and this request came from ${shown}. Add the origin to the key (turnpike keys update <key> --origins, or API keys in the dashboard), or use a key without origins in programs that are not pages.`,
    facts: { origin: shown },
  });
}

/** The origin of a request as it was sent; null without one. */
export function originOf({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  return headers.origin ?? null;
}

/** Whether a browser asks if a page may make a call: https://fetch.spec.whatwg.org/#cors-preflight-request */
export function isPreflight({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** No key has the origin, or none that is valid now. */
export function refusedPreflight(): GatewayError {
  return new GatewayError('origin_not_allowed', {
    message:
      'Pages of this origin cannot call this gateway. Add the origin to a key (turnpike keys update <key> --origins, or API keys in the dashboard).',
  });
}
