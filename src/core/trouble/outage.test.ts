import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../clock.ts';
import { Outage } from './outage.ts';

test('an outage begins once, ends once, and knows how long it lasted', () => {
  const clock = new ManualClock();
  const outage = new Outage(clock);
  assert.equal(outage.worked(), null);
  assert.deepEqual([outage.failed(), outage.isOn], [true, true]);
  clock.advance(1_200);
  assert.equal(outage.failed(), false);
  clock.advance(300);
  assert.deepEqual([outage.worked(), outage.isOn, outage.worked()], [1_500, false, null]);
  assert.equal(outage.failed(), true);
});
