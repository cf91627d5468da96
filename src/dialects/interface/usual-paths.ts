import type { OperationName } from './caller-path.ts';

/** Where the client libraries of a format's vendor look for its operations below a base address. */
export interface UsualPaths {
  readonly chat: string;
  /** Other operations, by what follows the path of `chat`, wherever a provider has that. */
  readonly below?: { readonly [operation in Exclude<OperationName, 'chat'>]?: string };
}
