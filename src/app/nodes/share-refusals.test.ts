/** Goal: people see why requests fail, whichever node refused them. Method: two nodes with a board in memory, and notices that are nonsense. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../core/clock.ts';
import { accountId, keyId, projectId } from '../../core/ids.ts';
import { Notices } from '../../nodes/notices/notices.ts';
import type { NoticeBoard, PostedNotice } from '../../nodes/notices/ports.ts';
import { Refusals } from '../../stats/refusals.ts';
import { shareRefusals } from './share-refusals.ts';

const REFUSAL = {
  at: 1,
  accountId: accountId(1),
  projectId: projectId(2),
  keyId: keyId(3),
  model: 'demo/echo',
  status: 429,
  code: 'rate_limit_exceeded',
  requestId: 'req-1',
};

function open() {
  let posted: PostedNotice[] = [];
  const board: NoticeBoard = {
    name: 'memory',
    periodMs: 250,
    async exchange(sender, bodies) {
      const read = posted.filter((notice) => notice.sender !== sender);
      posted = [...posted.filter((notice) => notice.sender === sender), ...bodies.map((body) => ({ sender, body }))];
      return read;
    },
  };
  const nodes = ['one', 'two'].map((sender) => {
    const notices = new Notices({ boards: [board], clock: new ManualClock(), sender, onChange: () => undefined });
    const refusals = new Refusals();
    shareRefusals({ notices, refusals });
    return { notices, refusals };
  });
  const [first, second] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
  return { first, second, post: (notice: PostedNotice) => void posted.push(notice) };
}

test('a refusal of one node is listed at the others, once', async () => {
  const { first, second } = open();
  first.refusals.note(REFUSAL);
  for (const { notices } of [first, second, first, second]) await notices.exchange();
  assert.deepEqual(second.refusals.of(accountId(1)), [REFUSAL]);
  assert.deepEqual(first.refusals.of(accountId(1)), [REFUSAL]);
});

test('a notice that is longer than any node posts is not read', async () => {
  const { second, post } = open();
  post({ sender: 'evil', body: JSON.stringify(['refusal', REFUSAL, 'x'.repeat(1_000)]) });
  post({ sender: 'x'.repeat(1_000), body: JSON.stringify(['refusal', REFUSAL]) });
  await second.notices.exchange();
  assert.deepEqual(second.refusals.of(accountId(1)), []);
  post({ sender: 'good', body: JSON.stringify(['refusal', REFUSAL]) });
  await second.notices.exchange();
  assert.deepEqual(second.refusals.of(accountId(1)), [REFUSAL]);
});

test('what is no refusal is ignored', async () => {
  const { first, second } = open();
  for (const value of [
    null,
    7,
    {},
    { ...REFUSAL, at: Number.MAX_SAFE_INTEGER },
    { ...REFUSAL, status: 'x' },
    { ...REFUSAL, accountId: -1 },
    { ...REFUSAL, code: 'x'.repeat(400) },
  ])
    first.notices.post('refusal', JSON.stringify(value), value);
  for (const { notices } of [first, second]) await notices.exchange();
  assert.deepEqual(second.refusals.of(accountId(1)), []);
});
