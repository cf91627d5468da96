/** The contract of every storage for money: balances, entries and sums agree exactly. A part of `contract.ts`. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type {
  LedgerRow,
  LedgerStanding,
  LedgerStore,
  NewEntry,
  PostingRules,
  SpentSoFar,
} from '../../billing/ports.ts';
import { dayOf, dayStart, hourOf, monthOf, weekOf } from '../../core/calendar.ts';
import { accountId, entryId, keyId, newCallId, projectId } from '../../core/ids.ts';
import { nanoUsd } from '../../core/money.ts';
import type { Settlement } from '../../core/settlement.ts';
import { completionTokens, promptTokens } from '../../core/usage.ts';
import {
  crashed,
  NO_RULES,
  newKey,
  sampleEntry,
  sampleSettlement,
  settlementRow,
  settlementRows,
} from './sample-rows.ts';
import type { Promising, Rollup, StorageUnderTest } from './storage-under-test.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

export function moneyPromises(promise: Promising): void {
  promise('an entry moves its account’s balance once, however often it is sent', async (subject) => {
    const { ledger } = subject.storage;
    const call = sampleSettlement(NOW);
    await ledger.commit([settlementRow(call)]);
    const topUp = sampleEntry({ accountId: call.accountId, amount: nanoUsd(9_007_199_254_740_993n) });
    const sent = await Promise.all([1, 2, 3].map((at) => post(ledger, { ...topUp, at })));
    assert.deepEqual(
      sent.map((each) => each.isNew),
      [true, false, false],
    );
    assert.equal(new Set(sent.map((each) => each.entry.id)).size, 1);
    assert.deepEqual(sent[2]?.entry, { ...topUp, id: sent[0]?.entry.id, at: 1 });
    const refund = sampleEntry({ kind: 'refund', amount: nanoUsd(23n), reference: 'r', callId: call.callId });
    await ledger.post(refund, NO_RULES);
    await ledger.post(sampleEntry({ kind: 'adjustment', amount: nanoUsd(-3n), reference: 'a', note: null }), NO_RULES);
    const other = await post(ledger, sampleEntry({ accountId: accountId(2), amount: nanoUsd(7n) }));
    assert.equal(other.isNew, true, 'references are per account');

    const again = await subject.reopen();
    const { balances } = await again.storage.ledger.load();
    const credited = topUp.amount - 3n;
    const charged = call.charge - 23n;
    assert.deepEqual(balances.get(call.accountId), { balance: credited - charged, credited, charged });
    assert.deepEqual(balances.get(accountId(2)), { balance: 7n, credited: 7n, charged: 0n });
    assert.deepEqual(await again.storage.ledger.chargeOf(call.callId), {
      accountId: call.accountId,
      charge: call.charge,
      refunded: 23n,
    });
    assert.equal(await again.storage.ledger.chargeOf(newCallId(NOW)), null);
    return again;
  });

  promise('a reference identifies one entry, whatever the rules', async ({ storage: { ledger } }) => {
    const first = sampleEntry({ amount: nanoUsd(5n) });
    const { entry } = await post(ledger, first);
    const never: PostingRules = () => 'billing_off';
    assert.deepEqual(await ledger.post({ ...first, at: 9, note: 'again' }, never), {
      refused: null,
      entry,
      isNew: false,
    });
    for (const other of [{ amount: nanoUsd(6n) }, { kind: 'promo' as const }, { callId: newCallId(NOW) }])
      assert.deepEqual(await ledger.post({ ...first, ...other }, NO_RULES), { refused: 'reference_taken' });
    assert.equal((await ledger.load()).balances.get(first.accountId)?.balance, 5n);
    return undefined;
  });

  promise('an entry refused by the rules leaves no trace', async (subject) => {
    const { ledger } = subject.storage;
    const asked: LedgerStanding[] = [];
    const never: PostingRules = (standing) => {
      asked.push(standing);
      return 'unknown_call';
    };
    const entry = sampleEntry({ kind: 'refund', callId: newCallId(NOW) });
    assert.deepEqual(await ledger.post(entry, never), { refused: 'unknown_call' });
    assert.deepEqual(
      asked.map(({ totals, call }) => ({ totals, call })),
      [{ totals: { balance: 0n, credited: 0n, charged: 0n }, call: null }],
    );
    const again = await subject.reopen();
    const { balances, lastEntry } = await again.storage.ledger.load();
    assert.deepEqual([balances.size, lastEntry], [0, null]);
    assert.equal(await again.storage.ledger.entry(entry.accountId, entry.reference), null);
    return again;
  });

  promise('concurrent refunds never exceed the charge', async ({ storage: { ledger } }) => {
    const call = sampleSettlement(NOW, { charge: nanoUsd(100n) });
    await ledger.commit([settlementRow(call)]);
    const upToTheCharge = (amount: bigint) => (standing: LedgerStanding) =>
      standing.call !== null && standing.call.refunded + amount > standing.call.charge ? 'exceeds_charge' : null;
    const amounts = [60n, 60n, 30n, 20n, 10n];
    const answers = await Promise.all(
      amounts.map((amount, index) => {
        const refund = { kind: 'refund', callId: call.callId, reference: `back ${index}` } as const;
        return ledger.post(sampleEntry({ ...refund, amount: nanoUsd(amount) }), upToTheCharge(amount));
      }),
    );
    assert.deepEqual(
      answers.map(({ refused }) => refused),
      [null, 'exceeds_charge', null, 'exceeds_charge', null],
    );
    assert.equal((await ledger.chargeOf(call.callId))?.refunded, 100n);
    assert.equal((await ledger.load()).balances.get(call.accountId)?.charged, 0n);
    return undefined;
  });

  promise('concurrent debits and charges never use the same money twice', async ({ storage: { ledger } }) => {
    const call = sampleSettlement(NOW, { charge: nanoUsd(50n) });
    await post(ledger, sampleEntry({ amount: nanoUsd(150n) }));
    const upToTheBalance = (amount: bigint) => (standing: LedgerStanding) =>
      standing.totals.balance + amount < 0n ? 'exceeds_available' : null;
    const debits = Array.from({ length: 20 }, (_, index) => {
      const debit = sampleEntry({ kind: 'adjustment', amount: nanoUsd(-30n), reference: `debit ${index}` });
      return ledger.post(debit, upToTheBalance(debit.amount));
    });
    const [answers] = await Promise.all([Promise.all(debits), ledger.commit([settlementRow(call)])]);
    const made = answers.filter(({ refused }) => refused === null).length;
    const { balances, lastEntry } = await ledger.load();
    assert.equal(balances.get(call.accountId)?.balance, 150n - 50n - 30n * BigInt(made));
    // Charges are not checked; before the charge more debits were possible.
    assert.ok(made >= 3 && made <= 5, `${made} debits`);
    assert.equal((await ledger.entries(call.accountId, { before: null, limit: 1 }))[0]?.id, lastEntry);
    return undefined;
  });

  promise('a sum beyond 64 bits is refused, and nothing is moved', async ({ storage: { ledger } }) => {
    const first = sampleEntry({ amount: nanoUsd(9_000_000_000_000_000_000n) });
    await ledger.post(first, NO_RULES);
    await assert.rejects(
      ledger.post(sampleEntry({ amount: nanoUsd(300_000_000_000_000_000n), reference: 'too much' }), NO_RULES),
    );
    assert.equal(await ledger.entry(first.accountId, 'too much'), null);
    assert.equal((await ledger.load()).balances.get(first.accountId)?.balance, first.amount);
    return undefined;
  });

  promise('entries are found by reference, and listed newest first, page by page', async ({ storage: { ledger } }) => {
    for (let index = 0; index < 5; index += 1)
      await ledger.post(sampleEntry({ reference: String(index), at: NOW + index }), NO_RULES);
    await ledger.post(sampleEntry({ accountId: accountId(2) }), NO_RULES);
    const first = await ledger.entries(accountId(1), { before: null, limit: 3 });
    const rest = await ledger.entries(accountId(1), { before: first.at(-1)?.id ?? entryId(0), limit: 3 });
    assert.deepEqual(
      [...first, ...rest].map((entry) => entry.reference),
      ['4', '3', '2', '1', '0'],
    );
    assert.deepEqual(await ledger.entry(accountId(1), '3'), first[1]);
    assert.equal(await ledger.entry(accountId(2), '3'), null);
    return undefined;
  });

  promise('spending is loaded by day, week, month and in total; rotated keys count for their root', async (subject) => {
    const { accounts, ledger } = subject.storage;
    // Before its calls: it is charged for none of an earlier account with its number.
    const createdAt = dayStart(monthOf(dayOf(NOW)) - 1);
    const account = await accounts.createAccount({ name: 'Acme', createdAt });
    const project = await accounts.createProject({ accountId: account.id, name: 'A', createdAt });
    const first = await accounts.createKey(newKey(1, { projectId: project.id }));
    const { id: successor } = await accounts.createKey(newKey(2, { projectId: project.id, rootId: first.id }));
    const day = dayOf(NOW);
    const starts = [day, day, weekOf(day), monthOf(day), monthOf(day) - 1].map(dayStart);
    const whose = { accountId: account.id, projectId: project.id };
    await ledger.commit(
      settlementRows(
        starts.map((start, index) =>
          sampleSettlement(start + index, {
            ...whose,
            keyId: index % 2 === 0 ? first.id : successor,
            charge: nanoUsd(10n ** BigInt(index)),
          }),
        ),
      ),
    );
    const expected: SpentSoFar = {
      day,
      today: nanoUsd(11n),
      week: nanoUsd(111n),
      month: nanoUsd(1_111n),
      total: nanoUsd(11_111n),
      callsToday: 2,
      lastDay: day,
    };
    const again = await subject.reopen();
    const { spent } = await again.storage.ledger.load();
    assert.deepEqual([...spent.keys], [[first.id, expected]]);
    assert.deepEqual([...spent.projects], [[project.id, expected]]);
    assert.deepEqual([...spent.accounts], [[account.id, expected]]);
    return again;
  });

  promise('after any sequence of calls, entries and stops, balances and sums match the rows', async (subject) => {
    let current = subject;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), fc.nat(2), async (steps, stops) => {
        await run(current, steps, stops);
        current = await current.reopen();
        await checkLedger(current);
      }),
      { numRuns: 12 },
    );
    return current;
  });
}

const step = fc.record({
  kind: fc.constantFrom('call', 'streamed', 'left open', 'topup', 'refund'),
  account: fc.integer({ min: 1, max: 3 }),
  key: fc.integer({ min: 1, max: 3 }),
  model: fc.constantFrom('acme/large', 'acme/small'),
  provider: fc.constantFrom('acme', 'other'),
  admittedAt: fc.integer({ min: NOW - 40 * 86_400_000, max: NOW }),
  amount: fc.bigInt({ min: 0n, max: 2n ** 54n }),
  held: fc.boolean(),
  tokens: fc.nat(5_000),
  ending: fc.constantFrom('complete', 'empty', 'upstream_failed', 'key_cut' as const),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Runs the steps concurrently, in `stops` + 1 groups one after the other. */
async function run({ storage: { ledger } }: StorageUnderTest, steps: readonly Step[], stops: number): Promise<void> {
  const size = Math.ceil(steps.length / (stops + 1));
  for (let from = 0; from < steps.length; from += size) {
    const group = steps.slice(from, from + size);
    await Promise.all(
      group.map(async (each) => {
        if (each.kind === 'topup' || each.kind === 'refund') {
          const reference = newCallId(NOW);
          const amount = nanoUsd(each.amount + 1n);
          const account = accountId(each.account);
          await ledger.post(
            sampleEntry({ accountId: account, kind: each.kind, amount, reference, callId: reference }),
            NO_RULES,
          );
        } else for (const rows of rowsOf(each)) await ledger.commit(rows);
      }),
    );
  }
}

/** The commits of a call, one after the other. */
function rowsOf(each: Step): LedgerRow[][] {
  const call = callOf(each);
  const hold: LedgerRow = { type: 'hold', settlement: crashed(call) };
  const checkpoint: LedgerRow = {
    type: 'checkpoint',
    settlement: { ...crashed(call), usage: call.usage, cost: call.cost, charge: nanoUsd(call.charge / 2n) },
  };
  if (each.kind === 'call') return [[settlementRow(call)]];
  if (each.kind === 'left open') return each.tokens % 2 === 0 ? [[hold]] : [[hold], [checkpoint]];
  const end = settlementRow(call, { hadHold: true });
  return each.tokens % 2 === 0 ? [[hold, checkpoint, end]] : [[hold], [checkpoint], [end]];
}

function callOf(each: Step): Settlement {
  const { account, key, amount, tokens } = each;
  const sample = sampleSettlement(each.admittedAt);
  return {
    ...sample,
    accountId: accountId(account),
    projectId: projectId(account),
    keyId: keyId(key),
    model: each.model,
    provider: each.provider,
    usage: { ...sample.usage, inputTokens: tokens, outputTokens: 2 * tokens, reasoningTokens: tokens },
    cost: tokens % 5 === 0 ? null : nanoUsd(amount + 1n),
    hold: each.held ? nanoUsd(amount) : null,
    charge: nanoUsd(amount),
    ending: each.ending,
  };
}

async function checkLedger(subject: StorageUnderTest): Promise<void> {
  const settlements = await subject.settlements();
  assert.deepEqual(await subject.holds(), []);
  const { balances } = await subject.storage.ledger.load();
  for (const account of [1, 2, 3].map(accountId)) {
    const entries = await subject.storage.ledger.entries(account, { before: null, limit: 10_000 });
    const own = settlements.filter((row) => row.accountId === account && row.hold !== null);
    const charges = own.reduce((sum, row) => sum + row.charge, 0n);
    const refunds = entries.reduce((sum, entry) => sum + (entry.kind === 'refund' ? entry.amount : 0n), 0n);
    const credits = entries.reduce((sum, entry) => sum + (entry.kind === 'refund' ? 0n : entry.amount), 0n);
    const { balance = 0n, credited = 0n, charged = 0n } = balances.get(account) ?? {};
    assert.deepEqual([balance, credited, charged], [credits + refunds - charges, credits, charges - refunds]);
  }
  for (const [span, startOf] of [
    ['hour', hourOf],
    ['day', dayOf],
  ] as const)
    assert.deepEqual(sorted(await subject.rollups(span)), sorted(sumUp(settlements, startOf)));
}

function sumUp(settlements: readonly Settlement[], startOf: (ms: number) => number): Rollup[] {
  const sums = new Map<string, Rollup>();
  for (const row of settlements) {
    const { accountId, projectId, keyId, model, provider, usage } = row;
    const whose = { start: startOf(row.admittedAt), accountId, projectId, keyId, model, provider };
    const before = sums.get(JSON.stringify(whose));
    sums.set(JSON.stringify(whose), {
      ...whose,
      calls: (before?.calls ?? 0) + 1,
      failed: (before?.failed ?? 0) + (row.ending === 'complete' || row.ending === 'empty' ? 0 : 1),
      promptTokens: (before?.promptTokens ?? 0) + promptTokens(usage),
      completionTokens: (before?.completionTokens ?? 0) + completionTokens(usage),
      cachedTokens: (before?.cachedTokens ?? 0) + usage.cacheReadTokens,
      reasoningTokens: (before?.reasoningTokens ?? 0) + usage.reasoningTokens,
      cost: (before?.cost ?? 0n) + (row.cost ?? 0n),
      charge: (before?.charge ?? 0n) + row.charge,
    });
  }
  return [...sums.values()];
}

function sorted(rollups: readonly Rollup[]): Rollup[] {
  const name = ({ start, accountId, projectId, keyId, model, provider }: Rollup) =>
    JSON.stringify([start, accountId, projectId, keyId, model, provider]);
  return rollups.map((row) => ({ ...row })).sort((left, right) => (name(left) < name(right) ? -1 : 1));
}

async function post(ledger: LedgerStore, entry: NewEntry) {
  const answer = await ledger.post(entry, NO_RULES);
  assert.ok(answer.refused === null, `refused: ${answer.refused}`);
  return answer;
}
