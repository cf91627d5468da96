/** What this gateway does with requests. To add an operation: its file, its name in `OperationName`, and a line here. */

import type { OperationName } from '../dialects/interface/caller-path.ts';
import { chat } from './chat.ts';
import { countTokens } from './count-tokens.ts';
import type { Operation } from './operation.ts';

export const operations = {
  chat,
  count_tokens: countTokens,
} as const satisfies Readonly<Record<OperationName, Operation>>;

/** What a key, a project or an account may be permitted, each once. */
export const operationPermissions: readonly OperationName[] = [
  ...new Set(Object.values(operations).map(({ permission }) => permission)),
];
