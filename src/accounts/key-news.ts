/** With several nodes, a key that is unknown here may have been made at another one a moment ago. */
import { KeysBehind, UnknownKey } from './authenticate.ts';

export interface KeyNews {
  /** Resolves once every key is known that was made before this call. Throws `GatewayError` 503 if the database cannot be asked. */
  await(): Promise<void>;
}

/** Whether the key that was refused may be known to another node. */
export function mayBeElsewhere(error: unknown): boolean {
  return error instanceof UnknownKey || error instanceof KeysBehind;
}

/** Why a request was refused: an unknown key is searched for again, where there may be news. Throws any other error again. */
export async function awaitKeyNews(error: unknown, news: KeyNews | null): Promise<void> {
  if (news === null || !mayBeElsewhere(error)) throw error;
  await news.await();
}
