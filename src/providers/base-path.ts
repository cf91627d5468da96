/** What stands before every path of a provider, as operators give it: a bare origin, a base address, or the address of a call. */
import { type ProviderDialectName, providerDialects } from '../dialects/index.ts';
import { joinPaths } from './origin.ts';

export interface BasePath {
  /** The dialect whose call the address is that of; null where it is a base address. */
  readonly dialect: ProviderDialectName | null;
  /** Stands before paths that are made for each request. */
  readonly prefix: string;
  /** Where a path of the kind, like `/v1/chat/completions` or `/v1/models`, is here. */
  at(path: string): string;
}

/** What the usual paths begin with, and some servers leave out. */
const VERSION = '/v1';
/** How addresses of calls end. */
const CALLS: readonly (readonly [ending: string, dialect: ProviderDialectName | null])[] = [
  ...Object.values(providerDialects).flatMap(({ name, usualPaths }) =>
    usualPaths === undefined ? [] : [[withoutVersion(usualPaths.chat), name] as const],
  ),
  // A bare `/models` is the base address of some.
  [`${VERSION}/models`, null],
];
/** What stands after the same beginning at every vendor. */
const OPERATIONS = CALLS.map(([ending]) => withoutVersion(ending));

/**
 * Of the address of a call, whatever stands before the operation is taken as it is, for calls and for the list of models alike:
 * `https://host/chat/completions` has its models at `/models`, `https://host/v1/chat/completions` at `/v1/models`.
 */
export function readBasePath(basePath: string): BasePath {
  const call = CALLS.find(([ending]) => basePath.endsWith(ending));
  if (call === undefined) return { dialect: null, prefix: basePath, at: (path) => joinPaths(basePath, path) };
  const [ending, dialect] = call;
  const prefix = basePath.slice(0, basePath.length - withoutVersion(ending).length);
  return {
    dialect,
    prefix,
    at(path) {
      const operation = OPERATIONS.find((each) => path.endsWith(each));
      return operation === undefined ? joinPaths(prefix, path) : prefix + operation;
    },
  };
}

function withoutVersion(path: string): string {
  return path.startsWith(`${VERSION}/`) ? path.slice(VERSION.length) : path;
}
