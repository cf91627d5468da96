/** Goal: records of one account that wait for the database leave room for those of others. Method: a queue that one account fills. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountId } from '../../../core/ids.ts';
import { sampleRecord, sampleSettlement } from '../../contract/sample-rows.ts';
import { WaitingRecords } from './waiting-records.ts';

test('an account that fills the queue leaves room for others, and has it again once its records are written', () => {
  const waiting = new WaitingRecords(100_000);
  const recordOf = (account: number) => sampleRecord(sampleSettlement(1), { accountId: accountId(account) });
  let flooded = 0;
  while (waiting.add(recordOf(1))) flooded += 1;
  assert.ok(flooded > 5);
  for (const account of [2, 3, 4]) assert.ok(waiting.add(recordOf(account)), `account ${account} has room`);
  assert.ok(!waiting.add(recordOf(1)));
  waiting.drop(waiting.nextChunk().length);
  assert.equal(waiting.count, 0);
  assert.ok(waiting.add(recordOf(1)));
});
