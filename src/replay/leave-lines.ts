/**
 * Lines that a batch goes on without. A call for one of them may have been settled in the journal of a node that the others cannot see. While it may
 * come, the batch waits; if the node is lost, the call loses the line's name, and is not charged when the node comes back.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CallId, ProjectId } from '../core/ids.ts';
import type { LineName } from './digests.ts';
import type { Generation } from './generation.ts';
import type { ReplayClaims } from './ports.ts';

export interface Leaving {
  readonly claims: Pick<ReplayClaims, 'between' | 'giveUp'>;
  readonly generations: readonly Generation[];
  /** Wall time. */
  readonly nowMs: number;
}

/** Lines whose names are hashed in one turn of the event loop, some 10 µs each. */
const TURN_LINES = 200;

/**
 * Whether a batch may end without these lines: no call runs for any line of it. Afterwards what is stored of its lines is all there is. The calls of
 * other lines keep their names: their results are in a file, so they are charged whenever they come. Rejects if the claims cannot be asked.
 */
export async function leaveLines(
  { claims, generations, nowMs }: Leaving,
  { projectId, batchId }: { readonly projectId: ProjectId; readonly batchId: string },
  lines: Iterable<number>,
): Promise<boolean> {
  const lost = new Map<string, CallId>();
  for (const { digests } of generations) {
    const { first, last } = digests.linesOf(projectId, batchId);
    for (const { keyDigest, callId, mayRun } of await claims.between(projectId, first, last, nowMs)) {
      if (mayRun) return false;
      lost.set(nameOf(keyDigest), callId);
    }
  }
  if (lost.size === 0) return true;
  const calls: CallId[] = [];
  let hashed = 0;
  for (const number of lines) {
    for (const { digests } of generations) {
      const callId = lost.get(nameOf(digests.ofLine(projectId, { batchId, number })));
      if (callId !== undefined) calls.push(callId);
    }
    hashed += 1;
    if (hashed % TURN_LINES === 0) await nextTurn();
  }
  return calls.length === 0 || claims.giveUp(calls, nowMs);
}

/** The same for one line, of which the call `own` has failed, perhaps before it had the line's name. */
export async function leaveLine(
  { claims, generations, nowMs }: Leaving,
  { projectId, ...line }: LineName & { readonly projectId: ProjectId },
  own: CallId,
): Promise<boolean> {
  const calls: CallId[] = [];
  for (const { digests } of generations) {
    const digest = digests.ofLine(projectId, line);
    for (const { callId, mayRun } of await claims.between(projectId, digest, digest, nowMs)) {
      if (callId === own) continue;
      if (mayRun) return false;
      calls.push(callId);
    }
  }
  return calls.length === 0 || claims.giveUp(calls, nowMs);
}

function nameOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('latin1');
}
