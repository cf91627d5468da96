/** What stands before every path of a provider, as operators give it: a bare origin, a base address, or the address of a call. */
import { joinPaths } from './origin.ts';
import type { DialectName } from './provider.ts';

export interface BasePath {
  /** The dialect whose call the address is that of; null where it is a base address. */
  readonly dialect: DialectName | null;
  /** Where a path of the kind, like `/v1/chat/completions` or `/v1/models`, is here. */
  at(path: string): string;
}

/** How addresses of calls end. */
const CALLS: readonly (readonly [ending: string, dialect: DialectName | null])[] = [
  ['/chat/completions', 'openai-chat'],
  ['/messages', 'anthropic-messages'],
  // A bare `/models` is the base address of some.
  ['/v1/models', null],
];
/** What stands after the same beginning at every vendor. */
const OPERATIONS = ['/chat/completions', '/messages', '/models'];

/**
 * Of the address of a call, whatever stands before the operation is taken as it is, for calls and for the list of models alike:
 * `https://host/chat/completions` has its models at `/models`, `https://host/v1/chat/completions` at `/v1/models`.
 */
export function readBasePath(basePath: string): BasePath {
  const call = CALLS.find(([ending]) => basePath.endsWith(ending));
  if (call === undefined) return { dialect: null, at: (path) => joinPaths(basePath, path) };
  const [ending, dialect] = call;
  const before = basePath.slice(0, basePath.length - (ending === '/v1/models' ? '/models' : ending).length);
  return {
    dialect,
    at(path) {
      const operation = OPERATIONS.find((each) => path.endsWith(each));
      return operation === undefined ? joinPaths(before, path) : before + operation;
    },
  };
}
