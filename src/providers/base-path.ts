/** The part before every path of a provider, as operators write it: a bare origin, a base address, or the address of a call. */
import { type ProviderDialectName, providerDialects } from '../dialects/index.ts';
import { joinPaths } from './origin.ts';

export interface BasePath {
  /** The dialect of the call whose address was given; null for a base address. */
  readonly dialect: ProviderDialectName | null;
  /** Prepended to paths that are made for each request. */
  readonly prefix: string;
  /** Maps a path of the kind, such as `/v1/chat/completions` or `/v1/models`, to its path here. */
  at(path: string): string;
}

/** The prefix of the usual paths, which some servers leave out. */
const VERSION = '/v1';
/** The endings of call addresses. */
const CALLS: readonly (readonly [ending: string, dialect: ProviderDialectName | null])[] = [
  ...Object.values(providerDialects).flatMap(({ name, usualPaths }) =>
    usualPaths === undefined ? [] : [[withoutVersion(usualPaths.chat), name] as const],
  ),
  // A bare `/models` is a base address on some servers.
  [`${VERSION}/models`, null],
];
/** The part after the prefix, the same at every vendor. */
const OPERATIONS = [
  ...CALLS.map(([ending]) => withoutVersion(ending)),
  ...Object.values(providerDialects).flatMap(({ usualPaths }) =>
    Object.values(usualPaths?.others ?? {}).map(withoutVersion),
  ),
];

/**
 * In the address of a call, whatever precedes the operation is kept, for calls and for the list of models alike:
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

/** The part of a usual path after `/v1`. */
export function withoutVersion(path: string): string {
  return path.startsWith(`${VERSION}/`) ? path.slice(VERSION.length) : path;
}
