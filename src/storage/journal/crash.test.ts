/**
 * Goal: every acknowledged settlement survives `kill -9` and reaches the bank once. Method: a real process that settles as fast as
 * it can, with a bank that is a file of the calls it took, killed at points that differ; the next process starts from its journal.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { callIds } from '../contract/sample-rows.ts';
import { journalUnderTest, turns } from './journal-under-test.ts';

const SETTLER = `
  import { appendFileSync } from 'node:fs';
  import { systemClock } from ${JSON.stringify(import.meta.resolve('../../core/clock.ts'))};
  import { decodeBatch } from ${JSON.stringify(import.meta.resolve('./decode-batch.ts'))};
  import { openJournal } from ${JSON.stringify(import.meta.resolve('./open-journal.ts'))};
  import { crashed, sampleSettlement, settlementRow } from ${JSON.stringify(import.meta.resolve('../contract/sample-rows.ts'))};
  const [folder, durability] = process.argv.slice(1);
  const journal = await openJournal({ folder, durability, clock: systemClock, onProblem: () => {} });
  let sent = 0;
  journal.connect({
    isRefusal: () => false,
    async settle({ encoded }) {
      sent += 1;
      if (sent % 4 === 0) throw new Error('away');
      const calls = encoded.flatMap((each) => decodeBatch(each).settlements).map(({ settlement }) => settlement.callId);
      appendFileSync(folder + '/bank', calls.map((call) => call + '\\n').join(''));
      if (sent % 4 === 2) throw new Error('the answer is lost');
      return { conflicts: [], late: null };
    },
  });
  const settle = async (holds) => {
    for (;;) {
      const row = sampleSettlement(Date.now());
      if (holds) {
        await journal.commit([{ type: 'hold', settlement: crashed(row) }]);
        process.stdout.write('held ' + row.callId + '\\n');
        await journal.commit([{ type: 'checkpoint', settlement: crashed(row) }]);
      }
      await journal.commit([settlementRow(row, { hadHold: holds })]);
      process.stdout.write('settled ' + row.callId + '\\n');
    }
  };
  for (let caller = 0; caller < 16; caller += 1) void settle(caller % 2 === 0);
`;

for (const [durability, killAfter] of [
  ['process', 1],
  ['process', 700],
  ['process', 2_000],
  ['database', 300],
  ['power', 200],
] as const)
  test(`what was acknowledged before kill -9 reaches the bank once (${durability}, ${killAfter})`, async (context) => {
    const under = await journalUnderTest(context);
    const folder = join(under.folder, 'killed');
    const { settled, held } = await settleAndKill(folder, durability, killAfter);
    const again = await journalUnderTest(context, { folder, bank: under.bank });
    const sent = again.journal.forwardAll(60_000);
    let isSent: boolean | null = null;
    void sent.then((value) => {
      isSent = value;
    });
    while (isSent === null) {
      await turns();
      again.clock.advance(5);
    }
    assert.equal(isSent, true);
    const fromJournal = [...under.bank.settled.values()].map(({ settlement }) => settlement);
    const before = new Set(bankBefore(folder));
    const there = new Set<string>([...before, ...callIds(fromJournal)]);
    assert.deepEqual(
      [...settled, ...held].filter((id) => !there.has(id)),
      [],
    );
    const crashes = fromJournal.filter(({ ending }) => ending === 'gateway_crashed');
    assert.equal(crashes.length, again.journal.recovered);
    assert.deepEqual(
      crashes.filter(({ callId }) => settled.includes(callId) || before.has(callId)),
      [],
      'a call that was settled is not settled as crashed',
    );
    if (durability === 'database')
      assert.deepEqual(
        [...settled].filter((id) => !before.has(id)),
        [],
      );
  });

async function settleAndKill(folder: string, durability: string, killAfter: number) {
  mkdirSync(folder);
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SETTLER, folder, durability], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const settled: string[] = [];
  const held: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    const [what, callId] = line.split(' ') as [string, string];
    (what === 'held' ? held : settled).push(callId);
    if (settled.length === killAfter) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return { settled, held };
}

/** The calls that the bank of the killed process took, once each. */
function bankBefore(folder: string): string[] {
  const path = join(folder, 'bank');
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}
