/** Goal: the secrets of an installation stay secret, and are the same on every run. Method: real files. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { inspect } from 'node:util';
import { Secret } from '../../core/secret.ts';
import type { GivenSecrets, Secrets } from '../../credentials/ports.ts';
import { openFileSecrets } from './file-secrets.ts';

let path = '';
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
});
afterEach(() => rmSync(path, { recursive: true }));

function open(given: Partial<GivenSecrets> = {}): Secrets {
  return openFileSecrets(path, { pepper: null, sealingKey: null, ...given });
}

function activeOf({ sealingKeys }: Secrets): string | undefined {
  return sealingKeys[0]?.secret.reveal();
}

test('secrets are created for their owner only, and found on the next run', () => {
  const first = open();
  for (const name of ['pepper', 'sealing.key']) assert.equal(statSync(join(path, name)).mode & 0o777, 0o600);
  assert.match(first.pepper.reveal(), /^[0-9a-f]{64}$/);
  assert.notEqual(first.pepper.reveal(), activeOf(first));
  const second = open();
  assert.equal(second.pepper.reveal(), first.pepper.reveal());
  assert.equal(activeOf(second), activeOf(first));
  assert.ok(!inspect(second, { depth: 9 }).includes(second.pepper.reveal()));
});

test('a configured secret is used instead of a file, which is then not created', () => {
  const pepper = new Secret('0123456789abcdef'.repeat(4));
  const folder = open({ pepper });
  assert.equal(folder.pepper.reveal(), pepper.reveal());
  assert.equal(existsSync(join(path, 'pepper')), false);
  assert.equal(existsSync(join(path, 'sealing.key')), true);
});

for (const [what, text, complaint] of [
  ['empty', '', /is empty/],
  ['short', 'ab12', /is not usable/],
  ['not hexadecimal', 'z'.repeat(64), /is not usable/],
  ['one byte repeated', 'ab'.repeat(32), /repeats a single byte/],
] as const) {
  test(`a pepper that is ${what} is refused without being shown, from a file or configured`, () => {
    open();
    writeFileSync(join(path, 'pepper'), text);
    for (const options of [{}, { pepper: new Secret(text) }])
      assert.throws(
        () => open(options),
        (error: Error) => complaint.test(error.message) && (text === '' || !error.message.includes(text)),
      );
    assert.equal(readFileSync(join(path, 'pepper'), 'utf8'), text, 'the file is not replaced');
  });
}

test('a secret that others can read is refused with the command that fixes it', () => {
  open();
  const file = join(path, 'sealing.key');
  chmodSync(file, 0o640);
  assert.throws(() => open(), new RegExp(`chmod 600 ${file}`));
  chmodSync(file, 0o600);
  open();
});

test('a ring has one key per line, the first is active; a file with one key is a ring', async () => {
  const first = open();
  const [active] = first.sealingKeys;
  assert.ok(active !== undefined && first.ringStore !== null && first.sealingKeys.length === 1);
  assert.equal(active.secret.reveal(), activeOf(first));
  const newer = new Secret('0123456789abcdef'.repeat(4));
  await first.ringStore.replace([
    { secret: newer, retiredAt: null },
    { secret: active.secret, retiredAt: Date.UTC(2026, 10, 21) },
  ]);
  const file = join(path, 'sealing.key');
  assert.equal(
    readFileSync(file, 'utf8'),
    `${newer.reveal()}\n${active.secret.reveal()} retired 2026-11-21T00:00:00.000Z\n`,
  );
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const second = open();
  assert.equal(activeOf(second), newer.reveal());
  assert.deepEqual(
    second.sealingKeys.map(({ secret, retiredAt }) => [secret.reveal(), retiredAt]),
    [
      [newer.reveal(), null],
      [active.secret.reveal(), Date.UTC(2026, 10, 21)],
    ],
  );
});

test('a ring with an invalid line is refused with its position, without being shown', () => {
  open();
  const file = join(path, 'sealing.key');
  const good = '0123456789abcdef'.repeat(4);
  for (const text of [`${good}\nzz`, `${good} else\n${good}`, '\n\n', `${good}\n${'ab'.repeat(32)}`]) {
    writeFileSync(file, text);
    assert.throws(
      () => open(),
      (error: Error) => error.message.includes(file) && !error.message.includes(good),
    );
  }
});

test('a configured sealing key is active, and the keys of the file can open what they sealed', () => {
  const first = open();
  const given = new Secret('0123456789abcdef'.repeat(4));
  const folder = open({ sealingKey: given });
  assert.deepEqual(
    folder.sealingKeys.map(({ secret }) => secret.reveal()),
    [given.reveal(), activeOf(first)],
  );
  assert.equal(folder.ringStore, null);
});
