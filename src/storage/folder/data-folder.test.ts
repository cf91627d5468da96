/** Goal: a data folder has one owner. Method: real folders and a second process. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { controlSocketPath } from './control-socket.ts';
import { DataFolderInUse, openDataFolder } from './data-folder.ts';

let path = '';
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'turnpike-test-')), 'data');
});
afterEach(() => rmSync(join(path, '..'), { recursive: true }));

test('a new folder is accessible to its owner only', () => {
  openDataFolder(path).close();
  assert.equal(statSync(path).mode & 0o777, 0o700);
});

test('a second owner is refused with the name of the folder until the first has closed it', () => {
  const first = openDataFolder(path);
  assert.throws(
    () => openDataFolder(path),
    (error) => error instanceof DataFolderInUse && error.message.includes(path),
  );
  first.close();
  openDataFolder(path).close();
});

test('the lock excludes another process and is released when its owner is killed', async () => {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { openDataFolder } from ${JSON.stringify(import.meta.resolve('./data-folder.ts'))};
       // Kept in a global: an unreferenced object would be collected, and its lock released.
       globalThis.folder = openDataFolder(process.argv[1]);
       console.log('mine');
       process.stdin.resume();`,
      path,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  assert.throws(() => openDataFolder(path), DataFolderInUse);
  child.kill('SIGKILL');
  await once(child, 'exit');
  openDataFolder(path).close();
});

test('a folder that cannot be created is refused with its name', () => {
  writeFileSync(path, 'a file');
  assert.throws(() => openDataFolder(join(path, 'below')), new RegExp(join(path, 'below')));
});

test('the control socket is in the data folder, or, if its path would be too long, in a private folder of this user', () => {
  assert.equal(controlSocketPath('/srv/turnpike'), '/srv/turnpike/control.sock');
  const long = `/srv/${'long/'.repeat(30)}data`;
  const elsewhere = controlSocketPath(long);
  assert.ok(Buffer.byteLength(elsewhere) <= 100, elsewhere);
  assert.equal(controlSocketPath(`${long}/`), elsewhere, 'every command finds the same path');
  assert.notEqual(controlSocketPath(`${long}2`), elsewhere);
  assert.equal(statSync(join(elsewhere, '..')).mode & 0o777, 0o700);
});
