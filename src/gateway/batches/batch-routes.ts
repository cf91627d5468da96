/** The routes of batches, at OpenAI's paths: https://platform.openai.com/docs/api-reference/batch */
import { PATH_LENGTH_MAX } from '../arrival/path-pattern.ts';

export type BatchAction = 'create' | 'list' | 'show' | 'cancel';

export interface BatchRequest {
  readonly action: BatchAction;
  /** As sent; it may be anything. Empty for a new batch and for the list. */
  readonly id: string;
  /** As sent, without the `?`. */
  readonly query: string;
}

const BASE = '/api/v1/batches';
const ALIASES = ['/v1/batches', '/api/v1/v1/batches', '/batches'];

const ACTIONS: readonly (readonly [method: string, end: string, action: BatchAction])[] = [
  ['POST', '', 'create'],
  ['GET', '', 'list'],
  ['GET', '/{id}', 'show'],
  ['POST', '/{id}/cancel', 'cancel'],
];

/** The documented ones, in OpenAPI's notation. */
export const batchRoutes = ACTIONS.map(([method, end]) => ({
  method: method.toLowerCase(),
  path: BASE + end,
  aliases: ALIASES.map((alias) => alias + end),
}));

/** Null if it is another request. `target`: path and query. */
export function findBatchRequest(method: string | undefined, target: string): BatchRequest | null {
  const mark = target.indexOf('?');
  const place = findPlace(mark === -1 ? target : target.slice(0, mark));
  const found = ACTIONS.find(([each, end]) => each === method && end === place?.end);
  if (place === null || found === undefined) return null;
  return { action: found[2], id: place.id, query: mark === -1 ? '' : target.slice(mark + 1) };
}

/** The methods that a path, without its query, accepts; empty if it is another path. */
export function batchMethods(path: string): readonly string[] {
  const place = findPlace(path);
  return ACTIONS.filter(([, end]) => end === place?.end).map(([method]) => method);
}

interface Place {
  readonly id: string;
  readonly end: string;
}

function findPlace(path: string): Place | null {
  if (path.length > PATH_LENGTH_MAX) return null;
  for (const base of [BASE, ...ALIASES]) {
    if (!path.startsWith(base)) continue;
    const rest = path.slice(base.length).replace(/\/$/, '');
    if (rest === '') return { id: '', end: '' };
    if (!rest.startsWith('/')) continue;
    const [id = '', ...more] = rest.slice(1).split('/');
    if (id !== '') return { id, end: ['/{id}', ...more].join('/') };
  }
  return null;
}
