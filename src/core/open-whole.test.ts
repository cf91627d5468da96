import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { openWhole } from './open-whole.ts';

test('if opening fails, what was open is closed, last one first, and the error says why', async () => {
  const closed: string[] = [];
  const opening = openWhole(async (closing) => {
    closing.defer(() => void closed.push('database'));
    closing.defer(() => void closed.push('port'));
    throw new Error('no room on the disk');
  });
  await assert.rejects(opening, /no room on the disk/);
  assert.deepEqual(closed, ['port', 'database']);
});

test('an error while closing does not hide the first one, and is not hidden itself', async () => {
  const warned = once(process, 'warning');
  const opening = openWhole(async (closing) => {
    closing.defer(() => Promise.reject(new Error('the port did not close')));
    throw new Error('no room on the disk');
  });
  await assert.rejects(opening, /no room on the disk/);
  const [warning] = await warned;
  assert.match(String(warning), /the port did not close/);
});

test('what opened successfully stays open', async () => {
  const closed: string[] = [];
  const opened = await openWhole(async (closing) => {
    closing.defer(() => void closed.push('database'));
    return 'whole';
  });
  assert.deepEqual([opened, closed], ['whole', []]);
});
