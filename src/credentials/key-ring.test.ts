/**
 * Goal: a sealed value can be opened only for what it was sealed for, unchanged, with a key of the ring. Method: values sealed and then
 * moved, truncated, changed byte by byte, and opened by other rings.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Secret } from '../core/secret.ts';
import { KeyRing, keyIdOf, NotOpened, ringKeyId } from './key-ring.ts';

const FIRST = new Secret('0123456789abcdef'.repeat(4));
const SECOND = new Secret('fedcba9876543210'.repeat(4));
const PLAIN = Buffer.from('sk-canary-0123456789');
const NAME = 'provider:openai';

test('a sealed value can be opened for its name, and two seals of one value differ', () => {
  const ring = new KeyRing([FIRST]);
  const sealed = ring.seal(PLAIN, NAME);
  assert.deepEqual(ring.open(sealed, NAME), PLAIN);
  assert.notDeepEqual(ring.seal(PLAIN, NAME), sealed);
  assert.deepEqual(ring.open(ring.seal(Buffer.alloc(0), NAME), NAME), Buffer.alloc(0));
  assert.equal(sealed.includes(PLAIN), false);
});

test('a large value is sealed and opened in turns, whole or in parts, in the same format', async () => {
  const ring = new KeyRing([FIRST]);
  const large = randomBytes(4_000_000);
  let turns = 0;
  const counting = setInterval(() => (turns += 1), 0);
  for (const plain of [large, [large.subarray(0, 5), large.subarray(5, 3_000_000), large.subarray(3_000_000)]]) {
    const sealed = await ring.sealInTurns(plain, NAME);
    assert.ok(large.equals(await ring.openStored(sealed, NAME)));
    assert.ok(large.equals(ring.open(sealed, NAME)));
    sealed[2_000_000] = (sealed[2_000_000] as number) ^ 1;
    await assert.rejects(ring.openStored(sealed, NAME), NotOpened);
  }
  clearInterval(counting);
  assert.ok(turns > 1);
  assert.ok(large.equals(await ring.openStored(ring.seal(large, NAME), NAME)), 'what was sealed in one step');
});

test('a value moved to another name cannot be opened', () => {
  const ring = new KeyRing([FIRST]);
  const sealed = ring.seal(PLAIN, NAME);
  for (const place of ['provider:openai2', 'totp:1', '']) assert.throws(() => ring.open(sealed, place), NotOpened);
});

test('a value with a changed byte, a truncated one, or one of another version cannot be opened', () => {
  const ring = new KeyRing([FIRST, SECOND]);
  const sealed = ring.seal(PLAIN, NAME);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.throws(() => ring.open(changed, NAME), NotOpened, `byte ${at}`);
    assert.throws(() => ring.open(sealed.subarray(0, at), NAME), NotOpened, `the first ${at} bytes`);
  }
});

test('the first key seals, the others can open what they sealed', () => {
  const old = new KeyRing([FIRST]).seal(PLAIN, NAME);
  const ring = new KeyRing([SECOND, FIRST]);
  assert.deepEqual(ring.open(old, NAME), PLAIN);
  const sealed = ring.seal(PLAIN, NAME);
  assert.equal(keyIdOf(sealed), ring.activeId);
  assert.notEqual(keyIdOf(sealed), keyIdOf(old));
  assert.equal(keyIdOf(old), ringKeyId(FIRST));
  assert.throws(() => new KeyRing([FIRST]).open(sealed, NAME), /not in the ring/);
});

test('neither the ring nor its errors reveal a key or a value', () => {
  const ring = new KeyRing([FIRST]);
  const sealed = ring.seal(PLAIN, NAME);
  let shown = inspect(ring, { depth: 9, showHidden: true });
  try {
    ring.open(sealed, 'elsewhere');
  } catch (error) {
    shown += inspect(error, { depth: 9 });
  }
  assert.ok(!shown.includes(FIRST.reveal()) && !shown.includes(PLAIN.toString()));
});

test('a key that is not 32 bytes is refused', () => {
  assert.throws(() => new KeyRing([new Secret('ab')]));
  assert.throws(() => new KeyRing([]));
});
