/**
 * What the answers of a batch came to. It is added up once, from the settlements of the calls whose answers are in its file, and written with its end: so
 * no crash loses a line of it or counts one twice.
 */
import type { CallId, FileId } from '../core/ids.ts';
import { NO_MONEY, nanoUsd } from '../core/money.ts';
import { answeredCalls } from './answered-calls.ts';
import type { BatchTotals, SettledCalls } from './ports.ts';
import type { RunParts } from './runner-ports.ts';

/** Settlements that are asked for at a time. */
const AT_ONCE = 500;

export interface Answered {
  /** Of the file. */
  readonly bytes: number;
  /**
   * Null if a settlement is not there: it may be in the journal of another node, which sends it soon unless it was killed; or if the file has not all of
   * its answers, as after a restore of a backup.
   */
  readonly totals: BatchTotals | null;
}

/** Reads the file, which has so many `answers`, once. `file` is null if there is none. `waits`: patience was asked for, and the totals are not known yet. */
export async function addTotals(
  { store, contents }: Pick<RunParts, 'store' | 'contents'>,
  file: FileId | null,
  answers: number,
  isPatient: boolean,
): Promise<Answered | 'waits'> {
  let [bytes, sum, isKnown] = [0, NOTHING, true];
  if (file === null) return { bytes, totals: totalsOf(sum) };
  async function* counted(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  for await (const calls of answeredCalls(counted(contents.read(file)), AT_ONCE)) {
    // Only its length is wanted still.
    if (!isKnown) continue;
    const settled = await settledOf(store, calls);
    if (settled === null && isPatient) return 'waits';
    if (settled === null) isKnown = false;
    else sum = added(sum, settled);
  }
  if (isKnown && sum.calls === answers) return { bytes, totals: totalsOf(sum) };
  return isPatient ? 'waits' : { bytes, totals: null };
}

/** Null if one is missing. */
async function settledOf(store: Pick<RunParts['store'], 'settledCalls'>, calls: readonly (CallId | null)[]) {
  const known = calls.filter((call): call is CallId => call !== null);
  if (known.length < calls.length) return null;
  const settled = await store.settledCalls(known);
  return settled.calls < known.length ? null : settled;
}

const NOTHING: SettledCalls = {
  calls: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  charge: NO_MONEY,
  models: [],
};

function added(one: SettledCalls, other: SettledCalls): SettledCalls {
  return {
    calls: one.calls + other.calls,
    inputTokens: one.inputTokens + other.inputTokens,
    cachedTokens: one.cachedTokens + other.cachedTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
    charge: nanoUsd(one.charge + other.charge),
    models: [...new Set([...one.models, ...other.models])].slice(0, 2),
  };
}

function totalsOf({ calls: _calls, models, ...sums }: SettledCalls): BatchTotals {
  const [model = null, ...others] = models;
  return { ...sums, model: others.length === 0 ? model : null };
}
