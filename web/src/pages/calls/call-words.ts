/** Labels for the API's names of endings and price lines. */
import type { Call } from '../../api/types.ts';

export const ENDING_WORDS: Readonly<Record<Call['ending'], string>> = {
  complete: 'The response was delivered in full.',
  empty: 'The provider returned an empty response. Not charged.',
  caller_left: 'The client disconnected before the end. Tokens generated until then are charged.',
  caller_slow: 'The client read too slowly and was cut off. Tokens generated until then are charged.',
  upstream_failed: 'The provider failed. Not charged.',
  upstream_timeout: 'The provider did not respond in time. Not charged.',
  refused_upstream: 'The provider rejected the request. Not charged.',
  drained: 'The server shut down before the end. Tokens generated until then are charged.',
  key_cut: 'The API key was revoked before the end. Tokens generated until then are charged.',
  gateway_failed: 'The gateway failed. Not charged.',
  gateway_crashed: 'The gateway crashed during the request. Tokens delivered until then are charged.',
};

export const ENDING_NAMES: Readonly<Record<Call['ending'], string>> = {
  complete: 'complete',
  empty: 'empty',
  caller_left: 'disconnected',
  caller_slow: 'client too slow',
  upstream_failed: 'provider error',
  upstream_timeout: 'provider timeout',
  refused_upstream: 'provider rejected',
  drained: 'server shut down',
  key_cut: 'key revoked',
  gateway_failed: 'gateway error',
  gateway_crashed: 'gateway crash',
};

const LINES: Readonly<Record<string, string>> = {
  request: 'Request',
  input: 'Input tokens',
  cache_read: 'Cache reads',
  cache_write: 'Cache writes',
  cache_write_1h: 'Cache writes (1 hour)',
  input_audio: 'Audio input',
  output: 'Output tokens',
  output_audio: 'Audio output',
  cached_audio: 'of the cache reads, audio',
  cache_read_audio: 'Cache reads of audio',
  input_image: 'Image input',
  output_image: 'Image output',
  reasoning: 'Reasoning tokens',
  web_search: 'Web search',
  web_searches: 'Web searches',
  file_search: 'File search',
  file_searches: 'File searches',
  code_interpreter: 'Code interpreter',
  code_containers: 'Code containers',
  units: 'Units',
  image: 'Images',
  character: 'Characters',
  second: 'Seconds',
  search: 'Searches',
  page: 'Pages',
};

/** A kind of token, or a price line; of a unit, with its class: `image/1024x1024/high`. */
export function lineName(name: string): string {
  const [kind = name, ...classes] = name.split('/');
  const word = LINES[kind] ?? kind.replaceAll('_', ' ');
  return classes.length === 0 ? word : `${word} (${classes.join(', ')})`;
}

export function statusName(status: string): string {
  if (status === 'ok') return 'OK';
  return status === 'failed' ? 'failed' : status;
}
