/** Reads which page of a list of models a request asks for. */
import type { Model } from '../../../catalog/model.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { Query } from '../query.ts';

/** Null if absent. Throws `GatewayError` `invalid_value` outside of `least` to `most`. */
export function readCount(query: Query, name: string, least: number, most: number): number | null {
  const value = query[name];
  if (value === undefined) return null;
  const count = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (count >= least && count <= most) return count;
  throw new GatewayError('invalid_value', {
    message: `${name} must be a whole number from ${least} to ${most}.`,
    param: name,
  });
}

/**
 * The index of the named model in the list; null if the parameter is absent. Throws `GatewayError` `invalid_value` for a model that is not
 * in the list.
 */
export function readCursor(query: Query, name: string, models: readonly Model[]): number | null {
  const value = query[name];
  if (value === undefined) return null;
  const index = models.findIndex(({ id }) => id === value);
  if (index !== -1) return index;
  throw new GatewayError('invalid_value', { message: `${name} is not the id of a model in this list.`, param: name });
}

/** The path of OpenRouter's list from `offset` on, with the same filters. */
export function nextPage(query: Query, offset: number): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const text of value === undefined ? [] : [value].flat()) parameters.append(name, text);
  parameters.set('offset', String(offset));
  return `/api/v1/models?${parameters}`;
}
