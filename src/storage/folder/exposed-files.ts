/**
 * What of a data folder other users of the machine may read or write. It holds everything: digests of keys, sealed
 * credentials and what opens them, balances. The program makes it for its owner only; a folder that was there before keeps its mode.
 */
import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Of the group, and of everybody. */
const OTHERS = 0o077;
/** More names help nobody. */
const NAMED_MAX = 8;

export interface Exposure {
  /** Files and folders that others may read or write, below the folder; empty where they may only enter it. */
  readonly names: readonly string[];
  /** For a person to read: the first of them, and how many more there are. */
  readonly summary: string;
  /** The command that mends it. */
  readonly command: string;
}

/** Null where nobody but the owner may enter the folder, or where there is none. Throws where it cannot be read. */
export function exposureOf(folder: string): Exposure | null {
  const state = statSync(folder, { throwIfNoEntry: false });
  if (state === undefined || (state.mode & OTHERS) === 0) return null;
  const names = exposedBelow(folder, folder);
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : '';
  const summary = names.length === 0 ? 'the names of its files' : `${names.slice(0, NAMED_MAX).join(', ')}${more}`;
  return { names, summary, command: `chmod -R go= ${quoted(folder)}` };
}

/** At a start. Nothing is changed: who else may read may be the operator's own doing. */
export function warnOfExposure(log: { warn(facts: object, message: string): void }, folder: string): void {
  const exposure = exposureOf(folder);
  if (exposure === null) return;
  const { summary, command } = exposure;
  log.warn({ folder, files: summary, run: command }, 'data_folder_exposed: other users of this machine may read it');
}

function exposedBelow(root: string, folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // A file may go between the two looks: a day that expired, a draft that got its name.
    const isExposed = ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0;
    if (!isExposed) return [];
    return entry.isDirectory() ? exposedBelow(root, path) : [relative(root, path)];
  });
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
