/** The path of an operation below that of `chat`, as the format's own client libraries call it. */
import { type ProviderDialectName, providerDialects } from '../dialects/index.ts';
import type { OperationName } from '../dialects/interface/caller-path.ts';
import type { DeclaredRoute } from './route.ts';

/** Null if the format has no such operation. */
export function pathBelow(chat: string, dialect: ProviderDialectName, operation: OperationName): DeclaredRoute | null {
  if (operation === 'chat') return { path: chat };
  const suffix = providerDialects[dialect].usualPaths?.below?.[operation];
  return suffix === undefined ? null : { path: chat + suffix };
}
