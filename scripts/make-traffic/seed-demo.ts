/** Some weeks of a small team's calls, settled as real ones are: for screenshots of the dashboard. */
import { randomBytes } from 'node:crypto';
import type { Key } from '../../src/accounts/ports.ts';
import { NO_MONEY, parseUsd } from '../../src/core/money.ts';
import type { CallRecord } from '../../src/stats/record.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { Refusal } from './check-unused.ts';
import { MODELS, pricesOf, sampleCall, seeded } from './sample-calls.ts';

export interface DemoSize {
  readonly days: number;
  readonly calls: number;
  readonly nowMs: number;
  /** The same calls again for the same seed and time. */
  readonly seed: number;
}

const BATCH = 500;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Created if the account has fewer; nobody has their secrets. */
const KEYS = ['web app', 'nightly batch', 'evaluation'];

/** Calls of the first account: its own keys' and those of a project made for them. Returns how many. */
export async function seedDemo(storage: Storage, size: DemoSize): Promise<number> {
  const keys = await keysFor(storage, size.nowMs - size.days * DAY_MS);
  const accountId = keys[0]?.accountId;
  if (accountId === undefined) throw new Refusal('start a server on this folder once before: it has no key yet');
  const versions = await storage.prices.pin(
    MODELS.map((facts) => {
      const { model, provider } = facts;
      return { model, provider, upstreamModel: model.split('/')[1] ?? '', prices: pricesOf(facts) };
    }),
  );
  const topUp = { accountId, kind: 'topup', amount: parseUsd('250'), callId: null } as const;
  await storage.ledger.post(
    {
      ...topUp,
      reference: `demo-${size.nowMs}`,
      note: 'made up',
      at: size.nowMs - size.days * DAY_MS,
    },
    () => null,
  );
  const random = seeded(size.seed);
  const times = Array.from({ length: size.calls }, () => timeOf(size, random)).sort((left, right) => left - right);
  for (let from = 0; from < times.length; from += BATCH) {
    const records = times.slice(from, from + BATCH).map((at): CallRecord => {
      const choice = Math.floor(MODELS.length * random() ** 1.7);
      const key = keys[Math.floor(keys.length * random() ** 1.4)] as Key;
      const who = { accountId: key.accountId, projectId: key.projectId, keyId: key.id };
      const record = sampleCall(MODELS[choice] as (typeof MODELS)[number], who, at, random);
      return { ...record, priceVersion: versions[choice] ?? null };
    });
    await storage.ledger.commit(
      records.map((settlement) => ({
        type: 'settlement',
        settlement: settlementOf(settlement),
        hadHold: false,
        replay: null,
      })),
    );
    for (const record of records) storage.records.append(record);
    await storage.records.drain();
  }
  return times.length;
}

/** More by day than by night, less at the weekend, more from week to week. */
function timeOf({ days, nowMs }: DemoSize, random: () => number): number {
  for (;;) {
    const at = Math.floor(nowMs - HOUR_MS * 24 * days * random());
    const date = new Date(at);
    const byDay = 0.15 + 0.85 * Math.max(0, Math.sin(((date.getUTCHours() - 5) / 16) * Math.PI));
    const byWeek = date.getUTCDay() % 6 === 0 ? 0.35 : 1;
    const growth = 1 - (0.5 * (nowMs - at)) / (days * DAY_MS);
    if (random() < byDay * byWeek * growth) return at;
  }
}

async function keysFor({ accounts }: Storage, createdAt: number): Promise<Key[]> {
  const all: Key[] = [];
  for await (const key of accounts.keys()) if (key.kind === 'inference' && key.revokedAt === null) all.push(key);
  const first = all[0];
  if (first === undefined) return [];
  const keys = all.filter((key) => key.accountId === first.accountId);
  if (keys.length >= KEYS.length) return keys;
  const project = await accounts.createProject({ accountId: first.accountId, name: 'Research', createdAt });
  for (const name of KEYS)
    keys.push(
      await accounts.createKey({
        projectId: name === 'evaluation' ? project.id : first.projectId,
        rootId: null,
        name,
        kind: 'inference',
        digest: randomBytes(32),
        pepperId: first.pepperId,
        label: `sk-tp-…${randomBytes(2).toString('hex')}`,
        createdAt,
        createdBy: null,
        expiresAt: null,
        limits: {},
        permissions: {},
      }),
    );
  return keys;
}

/** What the ledger keeps of a call. */
function settlementOf(record: CallRecord): CallRecord {
  return record.ending === 'complete' ? record : { ...record, charge: NO_MONEY };
}
