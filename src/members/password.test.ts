/**
 * Goal: passwords are stored as hashes, and verified in the same time for everybody. Method: real Argon2id at its lowest cost, counting the
 * calls.
 */
import assert from 'node:assert/strict';
import { type Argon2Parameters, argon2Sync } from 'node:crypto';
import { test } from 'node:test';
import { PASSWORD_COST, Passwords } from './password.ts';

const CHEAP = { memoryKib: 8, passes: 1, lanes: 1 };
const HASHER = { lane: 'known', owner: 'ada@example.com' } as const;
const person = { email: 'ada@example.com', name: 'Ada Lovelace' };

test('the real cost makes a PHC string that verifies, and no two are equal', async () => {
  const passwords = new Passwords();
  const hash = await passwords.hash('a horse in the rain', person, HASHER);
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.ok(PASSWORD_COST.memoryKib >= 19 * 1024);
  assert.deepEqual(await passwords.verify('a horse in the rain', hash, HASHER), { isCorrect: true, isOutdated: false });
  assert.deepEqual(await passwords.verify('a horse in the rein', hash, HASHER), {
    isCorrect: false,
    isOutdated: false,
  });
  assert.notEqual(await passwords.rehash('a horse in the rain', HASHER), hash);
});

test('a hash of another cost verifies with that cost, and is reported as outdated', async () => {
  const hash = await new Passwords({ memoryKib: 16, passes: 2, lanes: 2 }).hash('a horse in the rain', person, HASHER);
  assert.deepEqual(await new Passwords(CHEAP).verify('a horse in the rain', hash, HASHER), {
    isCorrect: true,
    isOutdated: true,
  });
});

test('an unknown person takes one hash with the same parameters, like everybody', async () => {
  const { passwords, derived } = counted();
  const hash = await passwords.hash('a horse in the rain', person, HASHER);
  derived.length = 0;
  await passwords.verify('wrong', hash, HASHER);
  await passwords.verify('wrong', null, HASHER);
  assert.equal(derived.length, 2);
  const [first, second] = derived.map(({ memory, passes, parallelism, tagLength }) => [
    memory,
    passes,
    parallelism,
    tagLength,
  ]);
  assert.deepEqual(first, second);
});

test('the same characters in another Unicode composition are the same password', async () => {
  const { passwords } = counted();
  const hash = await passwords.hash('caf\u00e9 au lait noir', person, HASHER);
  assert.equal((await passwords.verify('cafe\u0301 au lait noir', hash, HASHER)).isCorrect, true);
});

test('an invalid stored hash is an error, not a wrong password', async () => {
  await assert.rejects(counted().passwords.verify('anything', 'md5:1234', HASHER), /cannot be read/);
});

const refused = [
  'short enoug',
  '😀😀😀😀😀😀',
  'aaaaaaaaaaaaaaaa',
  'password1234',
  'P@ssw0rd!2026',
  'passwordpassword',
  'abc123abc123',
  '1234567890123',
  'qwertyuiopas',
  'Correct Horse Battery Staple',
  'administrator!',
  'ada@example.com',
  'Ada Lovelace',
  'ada lovelace 2026!',
];
for (const password of refused) {
  test(`"${password}" is refused`, async () => {
    await assert.rejects(counted().passwords.hash(password, person, HASHER), {
      code: 'invalid_value',
      param: 'password',
    });
  });
}

for (const password of ['twelve chars', 'zebra orange lamp', 'ünïcödé wörter', 'x7Gq-2mTz-91Lk', '   spaces too   1']) {
  test(`"${password}" is accepted`, async () => {
    assert.match(await counted().passwords.hash(password, person, HASHER), /^\$argon2id/);
  });
}

function counted() {
  const derived: Argon2Parameters[] = [];
  const passwords = new Passwords(CHEAP, async (parameters) => {
    derived.push(parameters);
    return argon2Sync('argon2id', parameters);
  });
  return { passwords, derived };
}
