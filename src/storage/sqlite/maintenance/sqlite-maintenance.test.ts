/** Goal: jobs of the ledger run on a thread, one at a time, and refuse as the control plane expects. Method: real threads over a small ledger. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { ManualClock } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import { openValidLedger, type ValidLedger } from '../verify/valid-ledger.ts';
import { SqliteMaintenance } from './sqlite-maintenance.ts';

let ledger: ValidLedger;
before(async () => {
  ledger = await openValidLedger();
});
after(() => ledger.under.dispose());

function open(folder = ledger.under.folder) {
  const clock = new ManualClock(ledger.under.clock.now());
  return new SqliteMaintenance({
    folder,
    billingMode: 'prepaid',
    longestCallMs: 3_600_000,
    version: '1.2.3',
    rulesModule: import.meta.resolve('../../../billing/ledger-rules.ts'),
    clock,
  });
}

test('concurrent jobs run one after the other, and closing waits for them', async () => {
  const maintenance = open();
  const done: string[] = [];
  const sealed = maintenance.seal('2026-09').then(({ wasSealed }) => done.push(`sealed ${wasSealed}`));
  const again = maintenance.seal('2026-09').then(({ wasSealed }) => done.push(`sealed ${wasSealed}`));
  const verified = maintenance.verify({ archive: true }).then(({ archives }) => done.push(`verified ${archives}`));
  await maintenance.close();
  assert.deepEqual(done, ['sealed false', 'sealed true', 'verified 1']);
  await Promise.all([sealed, again, verified]);
  assert.equal(await maintenance.isArchivedReference(1, 'top-up 0'), true);
  assert.equal((await maintenance.check()).sealedThrough, '2026-09');
});

test('look-ups do not wait for a job', async () => {
  const maintenance = open();
  const busy = new DatabaseSync(join(ledger.under.folder, 'turnpike.db'));
  busy.exec('BEGIN IMMEDIATE');
  let isSealed = false;
  const sealed = maintenance.seal('2026-10').then(() => {
    isSealed = true;
  });
  assert.equal(await maintenance.isArchivedReference(1, 'top-up 0'), true);
  assert.equal(isSealed, false);
  busy.exec('ROLLBACK');
  busy.close();
  await sealed;
});

test('a refusal keeps its code and its message', async () => {
  await assert.rejects(open().seal('2026-11'), (error) => {
    assert.ok(error instanceof GatewayError);
    assert.deepEqual([error.code, error.status], ['conflict', 409]);
    return /can be sealed from/.test(error.message);
  });
});

test('a failed job rejects with its error', async () => {
  await assert.rejects(open('/nowhere').check(), /unable to open database file/);
});
