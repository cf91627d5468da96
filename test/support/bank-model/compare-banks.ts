/** Sends random sequences of requests to the model of the bank and to PostgreSQL, and compares every answer and every table. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { BillingMode } from '../../../src/billing/billing-mode.ts';
import type { ServerName } from '../postgres/servers.ts';
import { openModel } from './model-bank.ts';
import { openReal, type RealBank } from './real-bank.ts';
import { RequestPlayer } from './request-player.ts';
import { type Request, requests } from './requests.ts';

export interface Compared {
  readonly requests: number;
  /** How often each kind of request, and each outcome of note, was seen. */
  readonly seen: ReadonlyMap<string, number>;
}

export interface Comparison {
  readonly server: ServerName;
  readonly mode: BillingMode;
  readonly seed: number;
  readonly sequences: number;
}

/** Throws with the shortest sequence that was found, and its seed, if something differs. */
export async function compareBanks({ server, mode, seed, sequences }: Comparison): Promise<Compared> {
  const real = await openReal(server, mode);
  const seen = new Map<string, number>();
  let count = 0;
  try {
    await fc.assert(
      fc.asyncProperty(requests, async (sequence) => {
        await playToBoth(real, mode, sequence, (what) => void seen.set(what, (seen.get(what) ?? 0) + 1));
        count += sequence.length;
      }),
      { numRuns: sequences, seed },
    );
    return { requests: count, seen };
  } finally {
    await real.close();
  }
}

async function playToBoth(
  real: RealBank,
  mode: BillingMode,
  sequence: readonly Request[],
  note: (what: string) => void,
): Promise<void> {
  await real.empty();
  const model = openModel(mode);
  const [expected, found] = [await RequestPlayer.start(model, mode), await RequestPlayer.start(real, mode)];
  for (const [index, request] of sequence.entries()) {
    const step = `request ${index}, ${request.what}`;
    const answer = await expected.play(request);
    assert.deepEqual(await found.play(request), answer, `${step}: the answer`);
    const [tables, violations] = [await real.tables(), await real.violations(found.isAlwaysLent)];
    assert.deepEqual(tables, await model.tables(), `${step}: what is stored`);
    assert.deepEqual(violations, [], step);
    assert.deepEqual(await found.shown(), await expected.shown(), `${step}: what pages show`);
    note(request.what);
    for (const outcome of outcomesOf(answer)) note(outcome);
  }
}

function outcomesOf(answer: unknown): readonly string[] {
  if (typeof answer === 'string') return [`refused: ${answer}`];
  if (answer === null || typeof answer !== 'object') return [];
  const { late, conflicts, carriedEpoch, isOver, recalls, hasEnded } = answer as Record<string, unknown>;
  return [
    ...(late ? ['late', ...((late as { isFault?: true }).isFault ? ['late by a fault'] : [])] : []),
    ...(Array.isArray(conflicts) && conflicts.length > 0 ? ['another settlement'] : []),
    ...(typeof carriedEpoch === 'number' ? ['epoch carried'] : []),
    ...(isOver === true ? ['epoch over'] : []),
    ...(Array.isArray(recalls) && recalls.length > 0 ? ['recalled'] : []),
    ...(hasEnded === undefined ? [] : [hasEnded ? 'key of an ended call' : 'key of a running call']),
  ];
}
