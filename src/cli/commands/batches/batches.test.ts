/**
 * Goal: commands list, show and cancel batches of any account, and say which batches a revoked key leaves. Method: `runCli` over the control plane with
 * batches in memory.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlOf } from '../../../../test/support/control-plane.ts';
import { openFixture } from '../../../../test/support/control-services.ts';
import { commandRunner } from '../../../../test/support/run-commands.ts';
import type { BatchServices } from '../../../api/management/batches/batches.ts';
import { type BatchQuery, type BatchRow, hasEnded } from '../../../batches/ports.ts';
import { accountId, keyId, newCallId, projectId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import { sampleBatch } from '../../../storage/contract/batches.ts';

const FIELDS =
  'id status endpoint account project key created_at expires_at in_progress_at ended_at total completed failed waiting waiting_for charge model';
const MORE = 'input_file_id output_file_id error_file_id tokens errors';
const ids = { accountId: accountId(1), projectId: projectId(1), keyId: keyId(1) };

class MemoryBatches implements NonNullable<BatchServices['batches']> {
  readonly rows: BatchRow[] = [];

  async search({ accountId: account, keyId: key, statuses, limit }: BatchQuery) {
    return this.rows
      .filter((row) => account === null || row.accountId === account)
      .filter((row) => key === null || row.keyId === key)
      .filter((row) => statuses === null || statuses.includes(row.status))
      .slice(0, limit);
  }

  async read(id: string) {
    return this.rows.find((row) => row.id === id) ?? null;
  }

  async cancel(_project: unknown, id: string) {
    const at = this.rows.findIndex((row) => row.id === id && !hasEnded(row.status));
    const row = this.rows[at];
    if (row === undefined) return this.read(id);
    this.rows[at] = { ...row, status: 'cancelling' };
    return this.read(id);
  }
}

async function openBench() {
  const fixture = await openFixture();
  const batches = new MemoryBatches();
  const control = controlOf({ ...fixture.services, batches });
  const { run } = commandRunner({ control, now: () => fixture.clock.now() });
  await run('keys create --name ci');
  const waits = sampleBatch(1, { ...ids, status: 'in_progress', total: 40, completed: 12, failed: 1 });
  const totals = {
    ...{ inputTokens: 70, cachedTokens: 5, outputTokens: 9, reasoningTokens: 0, model: 'acme/large' },
    charge: nanoUsd(9_007_199_254_740_993n),
  };
  const ended = sampleBatch(2, { ...ids, status: 'completed', total: 2, completed: 2, totals });
  batches.rows.push({ ...waits, waiting: 3, waitingFor: 'upstream_rate_limited' }, ended);
  return { run, batches, waits: waits.id, ended: ended.id };
}

test('batches are listed with what waits and what they cost, filtered, and as JSON with every digit', async () => {
  const { run, waits, ended } = await openBench();
  const { out } = await run('batches list');
  assert.match(out, /ID +PROJECT +KEY +STATUS +LINES +WAITING +CHARGE/);
  assert.match(out, new RegExp(`${waits} +Default +ci +in_progress +13 of 40, 1 failed +3, upstream_rate_limited +- `));
  assert.match(out, new RegExp(`${ended} +Default +ci +completed +2 of 2 +- +9007199.254740993 `));
  const printed = (await run('batches list --status open --key ci --account Default --json')).out;
  const { data } = JSON.parse(printed);
  assert.deepEqual(
    data.map(({ id }: { id: string }) => id),
    [waits],
  );
  assert.equal(Object.keys(data[0]).join(' '), FIELDS);
  assert.match((await run('batches list --json')).out, /"charge":9007199\.254740993,/);
  assert.equal((await run('batches list --status running')).code, 2);
  assert.equal((await run('batches list --key nobody')).code, 1);
});

test('a batch is shown and cancelled; one that has ended is not', async () => {
  const { run, waits, ended } = await openBench();
  const shown = (await run(`batches show ${ended}`)).out;
  assert.match(shown, /model +acme\/large\n[\s\S]*tokens +70 in \(5 cached\), 9 out/);
  const { data } = JSON.parse((await run(`batches show ${ended} --json`)).out);
  assert.equal(Object.keys(data).join(' '), `${FIELDS} ${MORE}`);
  const cancelled = await run(`batches cancel ${waits}`);
  assert.equal(cancelled.out, `Batch ${waits} is being cancelled; lines that run end first.`);
  const again = await run(`batches cancel ${ended}`);
  assert.deepEqual(
    [again.code, again.notes],
    [1, `turnpike: The batch ${ended} cannot be cancelled: it is completed.`],
  );
  const unknown = await run(`batches show batch_${newCallId(1)}`);
  assert.deepEqual([unknown.code, unknown.notes], [1, 'turnpike: No batch has this id.']);
});

test('a revoked key says which batches it leaves', async () => {
  const { run, waits } = await openBench();
  const { out } = await run('keys revoke ci');
  assert.match(
    out,
    new RegExp(`revoked\\.\n1 batch of it has not ended: lines that have not run fail with 401\\. .*\n  ${waits}$`),
  );
});
