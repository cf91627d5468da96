/**
 * Goal: a folder that cannot be used is refused with the file that is in the way and what to do, not with SQLite's words. Method: real folders, looked
 * at by a process of a user without rights, and a file system that is read-only where the test may make one.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { accessComplaint } from './folder-access.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const skip = isRoot ? false : 'only root may become another user';

/** As a user without rights sees it. */
function complaintOfNobody(folder: string): string | null {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { accessComplaint } from ${JSON.stringify(import.meta.resolve('./folder-access.ts'))};
       process.setgroups([]);
       process.setgid(${NOBODY});
       process.setuid(${NOBODY});
       console.log(JSON.stringify(accessComplaint(process.argv[1])));`,
      folder,
    ],
    { encoding: 'utf8' },
  );
  assert.ok(stdout !== '', stderr);
  return JSON.parse(stdout) as string | null;
}

function folderFor(context: TestContext): string {
  const base = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  chmodSync(base, 0o755);
  context.after(() => rmSync(base, { recursive: true, force: true }));
  const folder = join(base, 'data');
  mkdirSync(folder);
  return folder;
}

test('a folder that may be used, or created, is no reason to complain', (context) => {
  const folder = folderFor(context);
  assert.equal(accessComplaint(folder), null);
  assert.equal(accessComplaint(join(folder, 'not', 'yet')), null);
});

test('a file in the place of the folder, or of one above it', (context) => {
  const folder = folderFor(context);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  assert.equal(
    accessComplaint(file),
    `The data folder ${file} cannot be used: ${file} is a file. Name a folder (--data).`,
  );
  assert.match(accessComplaint(join(file, 'below')) ?? '', /cannot be created: .*file is a file\. Name a folder/);
});

test("another user's folder, one that is write-protected, and one that nobody may create", { skip }, (context) => {
  const folder = folderFor(context);
  for (const mode of [0o700, 0o755]) {
    chmodSync(folder, mode);
    assert.match(
      complaintOfNobody(folder) ?? '',
      /^The data folder .*data cannot be used: it belongs to another user \(0\), and this is \w+ \(65534\)\. Run Turnpike as its owner, or give it to \w+: chown -R 65534 \/.*data$/,
    );
    assert.match(complaintOfNobody(join(folder, 'new')) ?? '', /cannot be (created in|used)/);
  }
  chownSync(folder, NOBODY, NOBODY);
  chmodSync(folder, 0o500);
  assert.match(
    complaintOfNobody(folder) ?? '',
    /its permissions do not let \w+ use it\. Run: chmod -R u\+rwX \/.*data$/,
  );
  chmodSync(folder, 0o700);
  assert.equal(complaintOfNobody(folder), null);
});

test('each file that is opened is named if it cannot be', { skip }, (context) => {
  const folder = folderFor(context);
  chmodSync(folder, 0o777);
  for (const name of [
    'lock',
    'turnpike.db',
    'turnpike.db-wal',
    'journal.db',
    'journal.mark',
    'pepper',
    'sealing.key',
  ]) {
    const path = join(folder, name);
    writeFileSync(path, '', { mode: 0o600 });
    assert.match(
      complaintOfNobody(folder) ?? 'none',
      new RegExp(`^The file ${path} cannot be used: it belongs to another user \\(0\\)`),
    );
    chownSync(path, NOBODY, NOBODY);
  }
  for (const name of ['records', 'captures', 'archive']) {
    mkdirSync(join(folder, name), { mode: 0o700 });
    assert.match(complaintOfNobody(folder) ?? 'none', new RegExp(`^The file .*${name} cannot be used`));
    chownSync(join(folder, name), NOBODY, NOBODY);
  }
  for (const name of ['pepper', 'sealing.key']) chmodSync(join(folder, name), 0o400);
  writeFileSync(join(folder, "an operator's notes"), '', { mode: 0o600 });
  assert.equal(complaintOfNobody(folder), null);
});

test('a file system that is read-only', (context) => {
  const place = folderFor(context);
  const mount = (...words: string[]) => spawnSync('mount', words).status === 0;
  if (!isRoot || !existsSync('/bin/mount') || !mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place))
    return context.skip('no file system can be mounted here');
  try {
    const folder = join(place, 'used');
    mkdirSync(folder);
    writeFileSync(join(folder, 'lock'), '');
    assert.ok(mount('-o', 'remount,ro', place));
    assert.match(
      accessComplaint(folder) ?? '',
      /^The data folder .*used cannot be used: its file system is read-only\. Mount it for writing, or use another folder \(--data\)\.$/,
    );
    assert.match(
      accessComplaint(join(place, 'new')) ?? '',
      /cannot be created in .*data: its file system is read-only/,
    );
  } finally {
    spawnSync('umount', [place]);
  }
});
