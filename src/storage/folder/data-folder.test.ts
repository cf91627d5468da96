/** Goal: a data folder has one owner, and secrets that are secret. Method: real folders, files and a second process. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { inspect } from 'node:util';
import { Secret } from '../../core/secret.ts';
import { controlSocketPath } from './control-socket.ts';
import { DataFolderInUse, openDataFolder } from './data-folder.ts';

let path = '';
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'turnpike-test-')), 'data');
});
afterEach(() => rmSync(join(path, '..'), { recursive: true }));

test('a new folder and its secrets are for their owner only, and found again', () => {
  const first = openDataFolder({ path });
  assert.equal(statSync(path).mode & 0o777, 0o700);
  for (const name of ['pepper', 'sealing.key']) assert.equal(statSync(join(path, name)).mode & 0o777, 0o600);
  assert.match(first.pepper.reveal(), /^[0-9a-f]{64}$/);
  assert.notEqual(first.pepper.reveal(), first.sealingKey.reveal());
  first.close();
  const second = openDataFolder({ path });
  assert.equal(second.pepper.reveal(), first.pepper.reveal());
  assert.equal(second.sealingKey.reveal(), first.sealingKey.reveal());
  assert.ok(!inspect(second, { depth: 9 }).includes(second.pepper.reveal()));
  second.close();
});

test('a second owner is refused by name of the folder, until the first lets go', () => {
  const first = openDataFolder({ path });
  assert.throws(
    () => openDataFolder({ path }),
    (error) => error instanceof DataFolderInUse && error.message.includes(path),
  );
  first.close();
  openDataFolder({ path }).close();
});

test('the lock holds against another process and is free when that is killed', async () => {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { openDataFolder } from ${JSON.stringify(import.meta.resolve('./data-folder.ts'))};
       // Held by a name: what nothing points at is collected, and its lock with it.
       globalThis.folder = openDataFolder({ path: process.argv[1] });
       console.log('mine');
       process.stdin.resume();`,
      path,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  assert.throws(() => openDataFolder({ path }), DataFolderInUse);
  child.kill('SIGKILL');
  await once(child, 'exit');
  openDataFolder({ path }).close();
});

test('a given secret is used instead of a file, which is then not made', () => {
  const pepper = new Secret('0123456789abcdef'.repeat(4));
  const folder = openDataFolder({ path, pepper });
  assert.equal(folder.pepper.reveal(), pepper.reveal());
  assert.equal(existsSync(join(path, 'pepper')), false);
  assert.equal(existsSync(join(path, 'sealing.key')), true);
  folder.close();
});

for (const [what, text, complaint] of [
  ['empty', '', /is empty/],
  ['short', 'ab12', /is not usable/],
  ['no hexadecimal', 'z'.repeat(64), /is not usable/],
  ['one byte repeated', 'ab'.repeat(32), /repeats a single byte/],
] as const) {
  test(`a pepper that is ${what} is refused without being shown, from a file or given`, () => {
    openDataFolder({ path }).close();
    writeFileSync(join(path, 'pepper'), text);
    for (const options of [{ path }, { path, pepper: new Secret(text) }])
      assert.throws(
        () => openDataFolder(options),
        (error: Error) => complaint.test(error.message) && (text === '' || !error.message.includes(text)),
      );
    assert.equal(readFileSync(join(path, 'pepper'), 'utf8'), text, 'it is not replaced');
  });
}

test('a secret that others may read is refused with the command that mends it', () => {
  openDataFolder({ path }).close();
  const file = join(path, 'sealing.key');
  chmodSync(file, 0o640);
  assert.throws(() => openDataFolder({ path }), new RegExp(`chmod 600 ${file}`));
  chmodSync(file, 0o600);
  openDataFolder({ path }).close();
});

test('a ring of keys is one key a line, the first is active; a file of one key is a ring', () => {
  const first = openDataFolder({ path });
  const [active] = first.sealingKeys;
  assert.ok(active !== undefined && first.ringFile !== null && first.sealingKeys.length === 1);
  assert.equal(active.secret.reveal(), first.sealingKey.reveal());
  const newer = new Secret('0123456789abcdef'.repeat(4));
  first.ringFile.write([
    { secret: newer, retiredAt: null },
    { secret: active.secret, retiredAt: Date.UTC(2026, 10, 21) },
  ]);
  first.close();
  const file = join(path, 'sealing.key');
  assert.equal(
    readFileSync(file, 'utf8'),
    `${newer.reveal()}\n${active.secret.reveal()} retired 2026-11-21T00:00:00.000Z\n`,
  );
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const second = openDataFolder({ path });
  assert.equal(second.sealingKey.reveal(), newer.reveal());
  assert.deepEqual(
    second.sealingKeys.map(({ secret, retiredAt }) => [secret.reveal(), retiredAt]),
    [
      [newer.reveal(), null],
      [active.secret.reveal(), Date.UTC(2026, 10, 21)],
    ],
  );
  second.close();
});

test('a ring with a line that is no key is refused by its place, without being shown', () => {
  openDataFolder({ path }).close();
  const file = join(path, 'sealing.key');
  const good = '0123456789abcdef'.repeat(4);
  for (const text of [`${good}\nzz`, `${good} else\n${good}`, '\n\n', `${good}\n${'ab'.repeat(32)}`]) {
    writeFileSync(file, text);
    assert.throws(
      () => openDataFolder({ path }),
      (error: Error) => error.message.includes(file) && !error.message.includes(good),
    );
  }
});

test('a given sealing key is active, and the keys of the file open what they sealed', () => {
  const first = openDataFolder({ path });
  first.close();
  const given = new Secret('0123456789abcdef'.repeat(4));
  const folder = openDataFolder({ path, sealingKey: given });
  assert.deepEqual(
    folder.sealingKeys.map(({ secret }) => secret.reveal()),
    [given.reveal(), first.sealingKey.reveal()],
  );
  assert.equal(folder.ringFile, null);
  folder.close();
});

test('a folder that cannot be made is refused by name', () => {
  writeFileSync(path, 'a file');
  assert.throws(() => openDataFolder({ path: join(path, 'below') }), new RegExp(join(path, 'below')));
});

test('the control socket is in the folder, or, where its address would be too long, in a folder of this user', () => {
  assert.equal(controlSocketPath('/srv/turnpike'), '/srv/turnpike/control.sock');
  const long = `/srv/${'long/'.repeat(30)}data`;
  const elsewhere = controlSocketPath(long);
  assert.ok(Buffer.byteLength(elsewhere) <= 100, elsewhere);
  assert.equal(controlSocketPath(`${long}/`), elsewhere, 'every command finds the same one');
  assert.notEqual(controlSocketPath(`${long}2`), elsewhere);
  assert.equal(statSync(join(elsewhere, '..')).mode & 0o777, 0o700);
});
