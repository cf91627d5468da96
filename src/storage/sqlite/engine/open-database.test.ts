/** Goal: a database that this program must not open is refused and left unchanged. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteUnderTest } from '../sqlite-under-test.ts';
import { checkSqliteVersion, openDatabase } from './open-database.ts';

for (const version of ['3.7.0', '3.51.2', '3.52.0', '2.99.99', undefined]) {
  test(`SQLite ${version} is refused, with the version that is needed`, () => {
    assert.throws(() => checkSqliteVersion(version ?? ''), /needs SQLite 3\.51\.3/);
  });
}

for (const version of ['3.51.3', '3.52.1', '3.53.4', '4.0.0']) {
  test(`SQLite ${version} is accepted`, () => checkSqliteVersion(version));
}

test('the SQLite of this Node is accepted', () => checkSqliteVersion());

test('a new database can be read by its owner only', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  const database = openDatabase(join(folder, 'a.db'), 'NORMAL');
  assert.equal(statSync(join(folder, 'a.db')).mode & 0o777, 0o600);
  database.close();
  rmSync(folder, { recursive: true });
});

test('a file that is not a database is refused with its name and left unchanged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  const path = join(folder, 'a.db');
  const content = 'this was once a database, long ago. '.repeat(200);
  writeFileSync(path, content);
  assert.throws(
    () => openDatabase(path, 'NORMAL'),
    (error: Error) => error.message.includes(path) && /not a database/.test(error.message),
  );
  assert.equal(readFileSync(path, 'utf8'), content);
  rmSync(folder, { recursive: true });
});

test('a schema newer than the program is refused and left unchanged', async () => {
  const subject = await openSqliteUnderTest();
  const database = subject.openConnection();
  database.prepare("INSERT INTO migrations (name, timestamp) VALUES ('0999_future', '')").run();
  await assert.rejects(subject.reopen(), /newer version of Turnpike.*0999_future/);
  database.prepare("DELETE FROM migrations WHERE name = '0999_future'").run();
  database.close();
  const again = await openSqliteUnderTest({ folder: subject.folder });
  assert.equal(again.storage.health(), 'ready');
  await again.dispose();
});
