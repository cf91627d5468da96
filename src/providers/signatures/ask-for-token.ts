/** Asks a service for a token or for keys, and reads its JSON. What it says on failure is not repeated: it may quote the credential. */
import { GatewayError } from '../../core/errors.ts';
import { type JsonObject, parseObject } from '../../core/json-object.ts';
import type { Outside, OutsideAnswer, OutsideRequest } from '../outside.ts';
import { WAIT_MS } from './renewal.ts';

/** Tokens have a few kilobytes. */
const BYTES_MAX = 64 * 1024;

export interface TokenAnswer {
  readonly object: JsonObject;
  readonly headers: OutsideAnswer['headers'];
}

/** `service` is named in errors: "Google's token service". Throws `GatewayError` 502. */
export async function askForToken(
  outside: Pick<Outside, 'request'>,
  service: string,
  request: OutsideRequest,
): Promise<TokenAnswer> {
  const { body, headers } = await ask(outside, service, request);
  const object = parseObject(body.toString('utf8'));
  if (object === null) throw unusable(service);
  return { object, headers };
}

/** Any 2xx answer. Throws `GatewayError` 502. */
export async function ask(
  outside: Pick<Outside, 'request'>,
  service: string,
  request: OutsideRequest,
): Promise<OutsideAnswer> {
  let answer: OutsideAnswer;
  try {
    answer = await outside.request(request, { timeoutMs: WAIT_MS, bytesMax: BYTES_MAX });
  } catch (cause) {
    throw new GatewayError('upstream_unreachable', { message: `${service} could not be reached.`, cause });
  }
  const { status } = answer;
  if (status >= 200 && status < 300) return answer;
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
    throw new GatewayError('upstream_credential_rejected', {
      message: `${service} rejected this gateway's credential (HTTP ${status}); the operator of the gateway must fix it.`,
    });
  }
  throw new GatewayError('upstream_unreachable', { message: `${service} failed (HTTP ${status}).` });
}

/** It answered, but not with a token. */
export function unusable(service: string): GatewayError {
  return new GatewayError('bad_gateway', { message: `${service} returned no usable token.` });
}

/** A token that a header can carry; otherwise null. */
export function tokenText(value: unknown): string | null {
  return typeof value === 'string' && value.length <= TOKEN_LENGTH_MAX && /^[\x21-\x7e]+$/.test(value) ? value : null;
}

const TOKEN_LENGTH_MAX = 16 * 1024;
const LIFETIME_SECONDS_MAX = 24 * 3600;

/** `expires_in` of OAuth in milliseconds: seconds as a number or, from Azure, as text. Null for anything else. */
export function lifetimeMs(value: unknown): number | null {
  const seconds = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof seconds !== 'number' || !(seconds > 0)) return null;
  return Math.min(seconds, LIFETIME_SECONDS_MAX) * 1000;
}
