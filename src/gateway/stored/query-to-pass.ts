import { GatewayError } from '../../core/errors.ts';
import type { StoredRequest } from './stored-routes.ts';

/**
 * The parameters that the provider gets: https://platform.openai.com/docs/api-reference/responses/get and its neighbours. Others are left
 * out. Throws `GatewayError` 400 for a stream, which only answers made in the background have.
 */
export function queryToPass({ query, part }: Pick<StoredRequest, 'query' | 'part'>): string {
  if (query === '') return '';
  const sent = new URLSearchParams(query);
  for (const name of ['stream', 'starting_after'])
    if (sent.has(name) && sent.get(name) !== 'false')
      throw new GatewayError('unsupported_value', {
        message: `Only an answer that is made in the background can be streamed later, and this gateway makes none. Leave "${name}" out.`,
        param: name,
      });
  const passed = new URLSearchParams();
  for (const [name, value] of sent) if (PASSED[part].includes(name)) passed.append(name, value);
  return passed.toString();
}

const INCLUDE = ['include', 'include[]'];
const PASSED: Readonly<Record<StoredRequest['part'], readonly string[]>> = {
  '': INCLUDE,
  input_items: [...INCLUDE, 'after', 'before', 'limit', 'order'],
  cancel: [],
};
