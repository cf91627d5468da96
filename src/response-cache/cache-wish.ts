/**
 * Whether a call wants to be answered from the response cache: by its headers, or else by a setting of its key. OpenRouter's headers mean the
 * same as ours: https://openrouter.ai/docs/guides/features/response-caching
 */
import type { IncomingHttpHeaders } from 'node:http';
import { GatewayError } from '../core/errors.ts';

export const CACHE_SECONDS_DEFAULT = 300;
/** A day. */
export const CACHE_SECONDS_MAX = 86_400;

export interface CacheWish {
  /** How old an answer may be, and how long this call's answer is kept. */
  readonly maxAgeMs: number;
  /** Whether no kept answer is wanted: the provider is asked, and its answer replaces the kept one. */
  readonly isRefresh: boolean;
  /** Whether the caller used OpenRouter's header, and reads the outcome from its other header. */
  readonly isOpenRouters: boolean;
}

const OURS = 'x-turnpike-cache';
const OUR_AGE = 'x-turnpike-cache-max-age';
const OPENROUTERS = 'x-openrouter-cache';
const OPENROUTERS_AGE = 'x-openrouter-cache-ttl';
const OPENROUTERS_CLEAR = 'x-openrouter-cache-clear';

/**
 * Null if it does not. `keySeconds`: the key's setting; absent if its calls are cached only if they ask for it. A header decides against the
 * setting, and ours against OpenRouter's. Throws `GatewayError` `invalid_value` for a header with another value.
 */
export function readCacheWish(headers: IncomingHttpHeaders, keySeconds: number | undefined): CacheWish | null {
  const name = headers[OURS] === undefined ? OPENROUTERS : OURS;
  const asked = headers[name];
  if (asked === undefined && keySeconds === undefined) return null;
  const isOpenRouters = name === OPENROUTERS && asked !== undefined;
  const word = asked === undefined ? 'true' : readWord(name, asked, isOpenRouters ? SWITCH : WORDS);
  if (word === 'false') return null;
  const isRefresh = word === 'refresh' || isOn(headers[OPENROUTERS_CLEAR]);
  const seconds = readSeconds(headers, OUR_AGE) ?? readSeconds(headers, OPENROUTERS_AGE);
  return { maxAgeMs: (seconds ?? keySeconds ?? CACHE_SECONDS_DEFAULT) * 1000, isRefresh, isOpenRouters };
}

const SWITCH: readonly string[] = ['true', 'false'];
const WORDS: readonly string[] = [...SWITCH, 'refresh'];

function readWord(name: string, value: string | string[], words: readonly string[]): string {
  const word = String(value).toLowerCase();
  if (words.includes(word)) return word;
  throw invalid(name, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);
}

function isOn(value: string | string[] | undefined): boolean {
  return value !== undefined && readWord(OPENROUTERS_CLEAR, value, SWITCH) === 'true';
}

function readSeconds(headers: IncomingHttpHeaders, name: string): number | undefined {
  const value = headers[name];
  if (value === undefined) return undefined;
  const seconds = /^\d{1,5}$/.test(String(value)) ? Number(value) : 0;
  if (seconds < 1 || seconds > CACHE_SECONDS_MAX)
    throw invalid(name, `must be a whole number of seconds from 1 to ${CACHE_SECONDS_MAX}`);
  return seconds;
}

function invalid(name: string, what: string): GatewayError {
  return new GatewayError('invalid_value', { message: `The header ${name} ${what}.`, param: name });
}
