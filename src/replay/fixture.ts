/** Fixtures of this folder's tests: a store in memory that behaves like the table, and requests. */

import type { CallId } from '../core/ids.ts';
import { callIdBytes, newCallId, projectId } from '../core/ids.ts';
import { Secret } from '../core/secret.ts';
import type { ReplayRow, ReplayStore } from './ports.ts';
import type { ReplayRequest } from './replay-registry.ts';

export const SEALING_KEY = new Secret('0123456789abcdef'.repeat(4));
/** More than any test stores. */
export const SPACE_BYTES = 2 ** 30;
export const START_MS = Date.UTC(2026, 10, 21, 12);

export class MemoryReplays implements ReplayStore {
  /** By project and digest, as the table's primary key. */
  readonly rows = new Map<string, ReplayRow>();

  write(row: ReplayRow): void {
    const key = `${row.projectId} ${Buffer.from(row.keyDigest).toString('hex')}`;
    this.rows.delete(key);
    this.rows.set(key, row);
  }

  /** Changes fields of the only row. */
  change(changes: Partial<ReplayRow>): void {
    const [entry] = this.rows;
    if (entry !== undefined) this.rows.set(entry[0], { ...entry[1], ...changes });
  }

  async *replays(nowMs: number) {
    for (const [key, row] of this.rows) if (row.expiresAt <= nowMs) this.rows.delete(key);
    const rows = [...this.rows.values()].sort((a, b) => Buffer.compare(callIdBytes(a.callId), callIdBytes(b.callId)));
    for (const { answer, ...row } of rows) yield { ...row, answerBytes: answer?.length ?? 0 };
  }

  async replayAnswer(callId: CallId): Promise<Uint8Array | null> {
    return [...this.rows.values()].find((row) => row.callId === callId)?.answer ?? null;
  }
}

/** With a key that a caller sends. */
type CallerRequest = ReplayRequest & { readonly idempotencyKey: string };

export function requestOf(changes: Partial<CallerRequest> = {}): CallerRequest {
  const nowMs = changes.nowMs ?? START_MS;
  return {
    projectId: projectId(1),
    idempotencyKey: 'order-17',
    route: '/api/v1/chat/completions',
    body: Buffer.from('{"model":"demo/echo"}'),
    streamed: false,
    callId: newCallId(nowMs),
    nowMs,
    ...changes,
  };
}
