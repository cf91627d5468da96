import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../../core/errors.ts';
import { accountId } from '../../../core/ids.ts';
import { chargedLately } from './spending-pace.ts';

function failing(error: Error) {
  return { usage: () => Promise.reject(error) };
}

test('a report that there is no time for leaves the balance without an estimate, and no other failure does', async () => {
  const slow = new GatewayError('shedding', { message: 'too slow', retryAfterSeconds: 1 });
  assert.equal(await chargedLately(failing(slow), accountId(1), 20_000), null);
  await assert.rejects(chargedLately(failing(new Error('broken')), accountId(1), 20_000), /broken/);
});
