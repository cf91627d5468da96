import type { CallId } from '../../core/ids.ts';
import { BadBatch } from './batch-layout.ts';
import { type DecodedBatch, decodeBatch } from './decode-batch.ts';
import { type OutboxBatch, outboxBatch } from './journal-part.ts';

export interface SplitBatch {
  /** One per call; none without `nextId`, or if the bytes are no batch. */
  readonly parts: readonly OutboxBatch[];
  readonly callIds: readonly CallId[];
}

/** Takes a batch apart into its calls, each with what is written together with it. */
export function splitBatch(bytes: Uint8Array, epoch: number, nextId: (() => number) | null): SplitBatch {
  const batch = decodedOrNull(bytes);
  if (batch === null) return { parts: [], callIds: [] };
  const { settlements, replays, storedIds } = batch;
  const callIds = settlements.map(({ settlement }) => settlement.callId);
  if (nextId === null) return { parts: [], callIds };
  // Those of a batch that an earlier version wrote go with its first call.
  const storedBy = Map.groupBy(storedIds, ({ call }) => (call - 1 in settlements ? call - 1 : 0));
  const parts = settlements.map(({ settlement, rootId, budgets, day }, index) =>
    outboxBatch(nextId(), epoch, [
      {
        settlement,
        lease: { epoch, rootId, budgets, day },
        replay: replays.find(({ callId }) => callId === settlement.callId) ?? null,
        stored: storedBy.get(index) ?? null,
      },
    ]),
  );
  return { parts, callIds };
}

function decodedOrNull(bytes: Uint8Array): DecodedBatch | null {
  try {
    return decodeBatch(bytes);
  } catch (error) {
    if (error instanceof BadBatch) return null;
    throw error;
  }
}
