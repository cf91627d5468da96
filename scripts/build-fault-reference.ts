/**
 * Writes docs/reference/faults.md from a run of every test that has a row of the fault table. With the word `long` the longer ones of
 * `npm run prove -- faults` run as well; otherwise their lines stay as they are.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAULT_PAGE, NOTES_VARIABLE, type NotedRow } from '../test/faults/rows/fault-row.ts';
import { FAULT_ROWS, type RowId } from '../test/faults/rows/matrix.ts';
import { faultPage, rowFromPage } from '../test/faults/rows/page.ts';

const ROOT = join(import.meta.dirname, '..');
const LONG = 'test/prove/faults.prove.ts';
const wanted = process.argv.slice(2);

const folder = mkdtempSync(join(tmpdir(), 'turnpike-faults-'));
const notes = join(folder, 'notes');
try {
  const files = globSync('{test,src}/**/*.test.ts', { cwd: ROOT }).filter((file) =>
    /\bfaultRow\(\s*'/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  const asked = wanted.filter((word) => word !== 'long');
  const chosen = files.filter((file) => asked.length === 0 || asked.some((part) => file.includes(part)));
  run(['--test', '--test-concurrency=1', ...chosen]);
  if (wanted.includes('long')) run([LONG]);
  const noted = readFileSync(notes, 'utf8')
    .trim()
    .split('\n')
    .map((line): NotedRow => JSON.parse(line));
  const fresh = new Set(noted.map(({ id }) => id));
  const published = existsSync(FAULT_PAGE) ? readFileSync(FAULT_PAGE, 'utf8') : '';
  const kept = (Object.keys(FAULT_ROWS) as RowId[])
    .filter((id) => !fresh.has(id))
    .flatMap((id) => rowFromPage(published, id) ?? []);
  writeFileSync(FAULT_PAGE, faultPage([...noted, ...kept]));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(parameters: readonly string[]): void {
  const { status } = spawnSync(process.execPath, parameters, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, [NOTES_VARIABLE]: notes },
  });
  if (status !== 0) throw new Error('a row does not hold: the page is not written');
}
