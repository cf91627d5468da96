/** Goal: digests distinguish requests and reveal nothing of them; a large body blocks nobody. Method: tables, and counting turns. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { projectId } from '../core/ids.ts';
import { Secret } from '../core/secret.ts';
import { deriveKey } from './derive-key.ts';
import { ReplayDigests } from './digests.ts';
import { SEALING_KEY } from './fixture.ts';

const digests = new ReplayDigests(SEALING_KEY);
const others = new ReplayDigests(new Secret('fedcba9876543210'.repeat(4)));
const [one, two] = [projectId(1), projectId(2)];

test('the digest of a key depends on the project, the key and the secret', () => {
  const all = [
    digests.ofKey(one, 'a'),
    digests.ofKey(two, 'a'),
    digests.ofKey(one, 'b'),
    digests.ofKey(projectId(12), 'a'),
    digests.ofKey(one, '2a'),
    others.ofKey(one, 'a'),
  ];
  assert.equal(new Set(all.map((each) => each.toString('hex'))).size, all.length);
  assert.deepEqual(digests.ofKey(one, 'a'), all[0]);
  for (const each of all) assert.equal(each.length, 32);
});

test('the digest of a body depends on the project, the route, the body and the secret', async () => {
  const body = Buffer.from('{}');
  const all = await Promise.all([
    digests.ofBody(one, '/a', body),
    digests.ofBody(two, '/a', body),
    digests.ofBody(one, '/b', body),
    digests.ofBody(one, '/a', Buffer.from('{ }')),
    digests.ofBody(one, '/a{', Buffer.from('}')),
    digests.ofBody(one, '/a', Buffer.alloc(0)),
    others.ofBody(one, '/a', body),
  ]);
  assert.equal(new Set(all.map((each) => each.toString('hex'))).size, all.length);
  assert.deepEqual(await digests.ofBody(one, '/a', body), all[0]);
});

test('a large body is hashed completely, with turns of the event loop in between', async () => {
  const body = Buffer.alloc(3 * 1024 * 1024 + 1, 'turnpike');
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const digest = await digests.ofBody(one, '/a', body);
  isOver = true;
  const key = deriveKey(SEALING_KEY, 'digest of route and body');
  assert.deepEqual(digest, createHmac('sha256', key).update('1 /a\n').update(body).digest());
  assert.ok(turns >= 6, `${turns} turns`);
});

test('a sealing key of another form is refused', () => {
  for (const text of ['', 'ab', 'x'.repeat(64)]) assert.throws(() => new ReplayDigests(new Secret(text)), /32 bytes/);
});
