/**
 * Goal: on a disk that fails, what the journal refused is never charged, what it acknowledged always is, and no further call is admitted. Method: a
 * real process whose system calls fail, killed and started again.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { type InjectedErrors, inject, whyNotInjected } from '../../../test/prove/support/injected-errors.ts';
import { JOURNAL_FILE } from './journal-database.ts';
import { journalUnderTest, turns } from './journal-under-test.ts';

const skip = whyNotInjected() ?? false;

/** Settles a call for each line that it reads, and answers with what became of it. Its bank never answers. */
const SETTLER = `
  import { createInterface } from 'node:readline';
  import { systemClock } from ${JSON.stringify(import.meta.resolve('../../core/clock.ts'))};
  import { openJournal } from ${JSON.stringify(import.meta.resolve('./open-journal.ts'))};
  import { sampleSettlement, settlementRow } from ${JSON.stringify(import.meta.resolve('../contract/sample-rows.ts'))};
  const [folder, durability] = process.argv.slice(1);
  const journal = await openJournal({ folder, durability, clock: systemClock, onProblem: () => {} });
  journal.connect({ isRefusal: () => false, settle: () => new Promise(() => {}) });
  console.log('open');
  for await (const _line of createInterface(process.stdin)) {
    const call = sampleSettlement(Date.now());
    const outcome = await journal.commit([settlementRow(call)]).then(() => 'settled', () => 'refused');
    const state = journal.state();
    console.log(outcome + ' ' + call.callId + ' ' + (state === 'ready' ? 'ready' : state.problem));
  }
`;

const FAULTS: readonly {
  readonly name: string;
  readonly durability: string;
  readonly errors: Omit<InjectedErrors, 'paths'>;
}[] = [
  { name: 'writing', durability: 'process', errors: { calls: ['pwrite64', 'write', 'pwritev'], error: 'EIO' } },
  { name: 'syncing', durability: 'power', errors: { calls: ['fsync', 'fdatasync'], error: 'EIO' } },
];

for (const { name, durability, errors } of FAULTS)
  test(`a disk that answers EIO when ${name} (${durability})`, { skip }, async (context) => {
    const under = await journalUnderTest(context);
    const folder = join(under.folder, 'broken');
    mkdirSync(folder);
    const settler = await startSettler(folder, durability);
    context.after(() => settler.child.kill('SIGKILL'));
    const before = [await settler.settle(), await settler.settle()];
    assert.deepEqual(
      before.map(({ outcome }) => outcome),
      ['settled', 'settled'],
    );
    const injected = await inject(settler.child.pid ?? 0, { ...errors, paths: [join(folder, `${JOURNAL_FILE}-wal`)] });
    const refused = [await settler.settle(), await settler.settle()];
    await injected.end();
    for (const { outcome, state } of refused) {
      assert.equal(outcome, 'refused');
      assert.match(
        state,
        /^The database cannot be trusted after a failure \(.*I\/O error.*\); fix the disk and restart\.$/,
      );
    }
    const ended = once(settler.child, 'exit');
    settler.child.kill('SIGKILL');
    await ended;

    const again = await journalUnderTest(context, { folder, bank: under.bank });
    let isSent = false;
    void again.journal.forwardAll(60_000).then(() => {
      isSent = true;
    });
    while (!isSent) {
      await turns();
      again.clock.advance(50);
    }
    assert.deepEqual([...under.bank.settled.keys()].sort(), before.map(({ call }) => call).sort());
  });

interface Settled {
  readonly outcome: string;
  readonly call: string;
  /** `ready`, or the problem. */
  readonly state: string;
}

async function startSettler(folder: string, durability: string) {
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '--eval', SETTLER, folder, durability], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  assert.ok(child.stdout !== null);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, 'open');
  return {
    child,
    async settle(): Promise<Settled> {
      child.stdin?.write('\n');
      const { value } = await lines.next();
      const [outcome = '', call = '', ...state] = String(value).split(' ');
      return { outcome, call, state: state.join(' ') };
    },
  };
}
