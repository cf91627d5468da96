/** What the API's names of a call's parts mean, in words. */
import type { Call } from '../../api/types.ts';

export const ENDING_WORDS: Readonly<Record<Call['ending'], string>> = {
  complete: 'The answer arrived whole.',
  empty: 'The provider answered with nothing. Such a call is not charged.',
  caller_left: 'The caller closed the connection before the end. What was produced until then is charged.',
  caller_slow: 'The caller read too slowly and was cut off. What was produced until then is charged.',
  upstream_failed: 'The provider failed. The call is not charged.',
  upstream_timeout: 'The provider did not answer in time. The call is not charged.',
  refused_upstream: 'The provider refused the request. The call is not charged.',
  drained: 'The server was stopped before the end. What was produced until then is charged.',
  key_cut: 'The key was revoked before the end. What was produced until then is charged.',
  gateway_failed: 'The gateway failed. The call is not charged.',
  gateway_crashed: 'The gateway crashed during the call. What was delivered until then is charged.',
};

export const ENDING_NAMES: Readonly<Record<Call['ending'], string>> = {
  complete: 'complete',
  empty: 'empty',
  caller_left: 'caller left',
  caller_slow: 'caller too slow',
  upstream_failed: 'provider failed',
  upstream_timeout: 'provider timed out',
  refused_upstream: 'provider refused',
  drained: 'server stopped',
  key_cut: 'key was cut',
  gateway_failed: 'gateway failed',
  gateway_crashed: 'gateway crashed',
};

const LINES: Readonly<Record<string, string>> = {
  request: 'Request',
  input: 'Input',
  cache_read: 'Read from cache',
  cache_write: 'Written to cache',
  cache_write_1h: 'Written to cache, 1 hour',
  input_audio: 'Audio input',
  output: 'Output',
  output_audio: 'Audio output',
  reasoning: 'Reasoning',
  web_search: 'Web search',
  web_searches: 'Web searches',
};

/** A kind of tokens, or a line of prices. */
export function lineName(name: string): string {
  return LINES[name] ?? name.replaceAll('_', ' ');
}

export function statusName(status: string): string {
  if (status === 'ok') return 'OK';
  return status === 'failed' ? 'failed' : status;
}
