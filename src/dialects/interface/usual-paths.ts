import type { OperationName } from './caller-path.ts';

/** The paths below a base URL at which the client libraries of a format's vendor call its operations. */
export interface UsualPaths {
  readonly chat: string;
  /** Other operations: the suffix to the provider's path of `chat`. */
  readonly below?: OperationPaths;
  /** Operations whose paths do not begin with that of `chat`. */
  readonly others?: OperationPaths;
}

export type OperationPaths = { readonly [operation in Exclude<OperationName, 'chat'>]?: string };
