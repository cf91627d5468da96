/** Varied calls of two accounts over some days, and queries for them. */

import type { CallLabels } from '../../core/call-labels.ts';
import { GatewayError } from '../../core/errors.ts';
import { accountId, keyId, projectId } from '../../core/ids.ts';
import { nanoUsd } from '../../core/money.ts';
import type { Ending } from '../../core/settlement.ts';
import type { CallRecord, CallsQuery, MovementsQuery, UsageQuery } from '../../stats/ports.ts';
import { NO_RULES, sampleEntry, sampleRecord, sampleSettlement, settlementRows } from './sample-rows.ts';
import type { StorageUnderTest } from './storage-under-test.ts';

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;
export const ACME = accountId(1);
export const OTHER = accountId(2);

export const anyCall = {
  projectId: null,
  keyId: null,
  model: null,
  provider: null,
  status: null,
  outcome: null,
  ending: null,
  streamed: null,
  minCharge: null,
  minDurationMs: null,
  labels: null,
} as const;

export function callsQuery(changes: Partial<CallsQuery> = {}): CallsQuery {
  return { ...anyCall, accountId: ACME, fromMs: null, toMs: null, before: null, limit: 50, ...changes };
}

export function usageQuery(nowMs: number, changes: Partial<UsageQuery> = {}): UsageQuery {
  const end = Math.floor(nowMs / DAY_MS) + 1;
  const all = { projectId: null, keyId: null, model: null, provider: null };
  const span = { interval: 'day', first: end - 5, end } as const;
  return { ...all, accountId: ACME, ...span, groupBy: 'none', groups: 8, costs: true, ...changes };
}

export function movementsQuery(changes: Partial<MovementsQuery> = {}): MovementsQuery {
  return { accountId: ACME, kind: 'all', fromMs: null, toMs: null, before: null, limit: 50, ...changes };
}

/** `count` calls, one every hundred minutes up to now, settled and recorded; oldest first. */
export async function fillCalls({ storage, clock }: StorageUnderTest, count: number): Promise<readonly CallRecord[]> {
  const now = clock.now();
  const records = Array.from({ length: count }, (_, index) =>
    variedRecord(now - (count - index) * 5 * 1_200_000, index),
  );
  await storage.ledger.commit(settlementRows(records));
  for (const record of records) storage.records.append(record);
  await storage.records.drain();
  return records;
}

/** Writes some calls, and entries of the first account between them. */
export async function fillStats(
  subject: StorageUnderTest,
): Promise<{ readonly records: readonly CallRecord[]; readonly entries: number }> {
  const records = await fillCalls(subject, 60);
  const entries = 5;
  for (let index = 0; index < entries; index += 1) {
    const at = (records[index * 12] as CallRecord).admittedAt + 1;
    await subject.storage.ledger.post(sampleEntry({ accountId: ACME, at, reference: `top-up ${index}` }), NO_RULES);
  }
  await answersQuestions(subject);
  return { records, entries };
}

/** On a busy machine starting the readers may take longer than the time limit of a question, so it is retried, as a client should. */
async function answersQuestions({ storage }: StorageUnderTest): Promise<void> {
  for (let asked = 1; ; asked += 1) {
    try {
      await storage.stats.activity({ accountId: ACME, projectId: null, keyId: null, firstDay: 0, lastDay: 0 });
      return;
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'shedding' || asked === QUESTIONS_MAX) throw error;
    }
  }
}

const QUESTIONS_MAX = 10;

const ENDINGS: readonly Ending[] = ['complete', 'complete', 'empty', 'upstream_failed', 'caller_left'];

/** Every field that can be filtered varies. */
function variedRecord(at: number, index: number): CallRecord {
  const ending = ENDINGS[index % ENDINGS.length] as Ending;
  const settlement = sampleSettlement(at, {
    accountId: index % 4 === 3 ? OTHER : ACME,
    projectId: projectId(1 + (index % 3)),
    keyId: keyId(1 + (index % 6)),
    model: `acme/model-${index % 7}`,
    provider: index % 2 === 0 ? 'acme' : 'other',
    charge: nanoUsd(BigInt(1_000_000 * (index % 11) + 1)),
    ending,
    ownCredential: index % 3 === 0,
  });
  return sampleRecord(settlement, {
    streamed: index % 3 === 0,
    status: [200, 200, 429, 503, 200][index % 5] as number,
    warnings: [],
    firstByteMs: index % 9 === 8 ? null : 20 + ((index * 37) % 500),
    durationMs: 100 + ((index * 53) % 900),
    labels: index % 2 === 0 ? null : (LABELS[index % LABELS.length] ?? null),
  });
}

const LABELS: readonly CallLabels[] = [
  { user: 'user-1', app: 'Harbour 灯', referer: 'https://harbour.example/', metadata: {}, isCut: false },
  { user: 'user-2', app: null, referer: null, metadata: { tide: 'high', constructor: 'x' }, isCut: false },
  { user: null, app: 'Harbour 灯', referer: null, metadata: { tide: 'low' }, isCut: false },
];
