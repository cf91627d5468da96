/**
 * The program with the schema before the last migration, as a folder that nodes can be started from: what a rolling upgrade begins with.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { postgresMigrations } from '../../../../src/storage/postgres/migrations/migrations.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
/** Where migrations have their names. */
const LISTS = ['src/storage/postgres/migrations/migrations.ts', 'src/storage/sql/migrations/migrations.ts'];
/** A program that lacks one of these does not serve on PostgreSQL. */
const NEEDED = ['src/storage/postgres/open-postgres.ts', 'src/app/nodes/open-node.ts', 'src/app/nodes/open-shared.ts'];

export interface VersionBefore {
  readonly folder: string;
  /** What it is, for the line of figures. */
  readonly what: string;
  /** Whether its schema is certainly an earlier one. */
  readonly lacksMigrations: boolean;
  remove(): void;
}

/**
 * The folder that `TURNPIKE_PROVE_BEFORE` names; otherwise the commit before the one that added the last migration, or, if that could not
 * serve on PostgreSQL yet, this commit without its last migration. Returns a sentence if this is no checkout of git.
 */
export function versionBefore(given: string | undefined): VersionBefore | string {
  if (given !== undefined)
    return { folder: resolve(given), what: 'that of TURNPIKE_PROVE_BEFORE', lacksMigrations: false, remove() {} };
  if (spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT }).status !== 0)
    return 'two versions: skipped, because this is no checkout of git (set TURNPIKE_PROVE_BEFORE)';
  const last = Object.keys(postgresMigrations()).sort().at(-1) ?? '';
  const added =
    git('log', `-S'${last}'`, '--format=%H', '--', ...LISTS)
      .split('\n')
      .at(-1) ?? '';
  const before = added === '' ? 'HEAD' : `${added}~1`;
  if (NEEDED.every((path) => spawnSync('git', ['cat-file', '-e', `${before}:${path}`], { cwd: ROOT }).status === 0))
    return checkedOut(before, `${git('rev-parse', '--short', before)}, before ${last}`);
  const version = checkedOut('HEAD', `this version without ${last}`);
  for (const path of LISTS) leaveOut(join(version.folder, path), last);
  return version;
}

/** With the packages of this checkout. */
function checkedOut(commit: string, what: string): VersionBefore {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-before-'));
  const archive = join(folder, 'checkout.tar');
  git('archive', '--format=tar', `--output=${archive}`, commit);
  execFileSync('tar', ['-xf', archive], { cwd: folder });
  rmSync(archive);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { folder, what, lacksMigrations: true, remove };
}

/** Removes the line of a migration from a list. */
function leaveOut(file: string, migration: string): void {
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, lines.filter((line) => !line.includes(`'${migration}'`)).join('\n'));
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trimEnd();
}
