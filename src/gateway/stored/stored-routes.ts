/** The routes below a path of `chat` at which callers read and delete what a provider keeps of their answers. */
import { type AnyCallerDialect, callerDialects } from '../../dialects/index.ts';
import { PATH_LENGTH_MAX } from '../arrival/path-pattern.ts';

export interface StoredRequest {
  readonly dialect: AnyCallerDialect;
  readonly method: 'GET' | 'DELETE' | 'POST';
  /** As sent; it may be anything. */
  readonly id: string;
  readonly part: StoredPart;
  /** As sent, without the `?`. */
  readonly query: string;
}

/** What follows the id: nothing, its input, or the end of an answer that is being made in the background. */
export type StoredPart = '' | 'input_items' | 'cancel';

const OPERATIONS = [
  ['GET', ''],
  ['DELETE', ''],
  ['GET', '/input_items'],
  ['POST', '/cancel'],
] as const;

/** The documented ones, in OpenAPI's notation. */
export const storedRoutes: readonly {
  readonly method: string;
  readonly path: string;
  readonly aliases: readonly string[];
}[] = dialectsWithStored().flatMap(({ paths: [{ pattern, aliases }] }) =>
  OPERATIONS.map(([method, end]) => ({
    method: method.toLowerCase(),
    path: `${pattern}/{id}${end}`,
    aliases: aliases.map((alias) => `${alias}/{id}${end}`),
  })),
);

/** Null if it is another request. `target`: path and query. */
export function findStored(method: string | undefined, target: string): StoredRequest | null {
  if (method !== 'GET' && method !== 'DELETE' && method !== 'POST') return null;
  const mark = target.indexOf('?');
  const place = findPlace(mark === -1 ? target : target.slice(0, mark));
  if (place === null || !methodsOf(place).includes(method)) return null;
  const { dialect, id, part } = place;
  return { dialect, method, id, part: part as StoredPart, query: mark === -1 ? '' : target.slice(mark + 1) };
}

/** The methods that a path, without its query, accepts; empty if it is another path. */
export function storedMethods(path: string): readonly string[] {
  const place = findPlace(path);
  return place === null ? [] : methodsOf(place);
}

interface Place {
  readonly dialect: AnyCallerDialect;
  readonly id: string;
  /** As sent. */
  readonly part: string;
}

function findPlace(path: string): Place | null {
  if (path.length > PATH_LENGTH_MAX) return null;
  for (const [base, dialect] of bases) {
    if (!path.startsWith(base)) continue;
    const [id = '', part = '', ...more] = path.slice(base.length).replace(/\/$/, '').split('/');
    const place = { dialect, id, part };
    if (id !== '' && more.length === 0 && methodsOf(place).length > 0) return place;
  }
  return null;
}

function methodsOf({ part }: Place): readonly string[] {
  return OPERATIONS.filter(([, end]) => end === (part === '' ? '' : `/${part}`)).map(([method]) => method);
}

const bases: readonly (readonly [base: string, dialect: AnyCallerDialect])[] = dialectsWithStored().flatMap(
  (dialect) => {
    const [{ pattern, aliases }] = dialect.paths;
    return [pattern, ...aliases].map((path) => [`${path}/`, dialect] as const);
  },
);

function dialectsWithStored(): AnyCallerDialect[] {
  return Object.values(callerDialects).filter(({ hasStoredAnswers }) => hasStoredAnswers === true);
}
