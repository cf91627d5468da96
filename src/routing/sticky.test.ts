/**
 * Goal: a conversation is found where it was answered, for an hour, by its own project only, in bounded memory that no project can use up
 * for the others. Method: conversations on a clock that the test moves; floods by one project and by many.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountId, projectId } from '../core/ids.ts';
import type { KeptAt } from './ports.ts';
import { Sticky } from './sticky.ts';

const HOUR = 3_600_000;
const HERE: KeptAt = { provider: 'here', upstreamModel: 'large-1', own: null, mark: null };
const THERE: KeptAt = { ...HERE, provider: 'there' };
const ONE = { account: accountId(1), project: projectId(1) };

test('a conversation is found where it was answered last', () => {
  const { sticky } = open();
  assert.equal(find(sticky, 'a'), null);
  keep(sticky, 'a', HERE);
  keep(sticky, 'b', THERE);
  assert.deepEqual([find(sticky, 'a'), find(sticky, 'b'), find(sticky, 'c')], [HERE, THERE, null]);
  keep(sticky, 'a', THERE);
  assert.equal(find(sticky, 'a'), THERE);
  assert.equal(sticky.size, 2);
});

test('the same name in another project is another conversation', () => {
  const { sticky } = open();
  keep(sticky, 'a', HERE);
  const other = { account: accountId(1), project: projectId(2) };
  assert.equal(find(sticky, 'a', other), null);
  keep(sticky, 'a', THERE, other);
  assert.deepEqual([find(sticky, 'a'), find(sticky, 'a', other)], [HERE, THERE]);
});

test('it is forgotten an hour after its last answer, and finding it does not count as one', () => {
  const { sticky, clock } = open();
  keep(sticky, 'a', HERE);
  clock.now += HOUR - 1;
  assert.equal(find(sticky, 'a'), HERE);
  clock.now += 1;
  assert.equal(find(sticky, 'a'), null);
  keep(sticky, 'b', HERE);
  clock.now += HOUR - 1;
  keep(sticky, 'b', HERE);
  clock.now += HOUR - 1;
  assert.equal(find(sticky, 'b'), HERE);
});

test('what has expired is removed while others call, of all projects', () => {
  const { sticky, clock } = open();
  for (let project = 1; project <= 20; project += 1)
    for (let name = 0; name < 10; name += 1) keep(sticky, `${name}`, HERE, scope(project));
  assert.equal(sticky.size, 200);
  clock.now += HOUR;
  for (let count = 0; count < 70; count += 1) keep(sticky, 'a', HERE, scope(99));
  assert.equal(sticky.size, 1);
});

test('a project that floods the memory forgets its own, the longest unused first, and leaves room for others', () => {
  const { sticky } = open(1000);
  keep(sticky, 'theirs', THERE, scope(2));
  for (let name = 0; name < 5000; name += 1) {
    keep(sticky, `${name}`, HERE);
    if (name % 100 === 0) keep(sticky, 'used', HERE);
  }
  assert.ok(sticky.size <= 1000, `${sticky.size} are kept`);
  assert.equal(find(sticky, 'theirs', scope(2)), THERE);
  assert.deepEqual([find(sticky, '0'), find(sticky, '4999'), find(sticky, 'used')], [null, HERE, HERE]);
  for (let name = 0; name < 100; name += 1) keep(sticky, `${name}`, THERE, scope(3));
  assert.equal(find(sticky, '0', scope(3)), THERE, 'a project that comes later has room for a hundred');
});

test('many projects of many accounts never keep more than the memory holds, and the one that calls now is kept', () => {
  const { sticky } = open(100);
  for (let project = 1; project <= 2000; project += 1) {
    for (let name = 0; name < 3; name += 1) {
      keep(sticky, `${name}`, HERE, scope(project, project));
      assert.equal(find(sticky, `${name}`, scope(project)), HERE);
      assert.ok(sticky.size <= 100, `${sticky.size} are kept`);
    }
  }
});

function open(conversationsMax?: number) {
  const clock = { now: 1000 };
  const parts = conversationsMax === undefined ? {} : { conversationsMax };
  return { sticky: new Sticky({ monotonic: () => clock.now, ...parts }), clock };
}

function scope(project: number, account = 1) {
  return { account: accountId(account), project: projectId(project) };
}

function keep(sticky: Sticky, conversation: string, at: KeptAt, { account, project } = ONE): void {
  sticky.keep(account, project, conversation, at);
}

function find(sticky: Sticky, conversation: string, { project }: Pick<typeof ONE, 'project'> = ONE): KeptAt | null {
  return sticky.find(project, conversation);
}
