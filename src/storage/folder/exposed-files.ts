/**
 * Finds files of a data folder that other users of the machine can read or write. It contains everything: digests of keys, sealed
 * credentials and the keys to open them, balances. The program creates it for its owner only; an existing folder keeps its mode.
 */
import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Permission bits of the group and of everybody. */
const OTHERS = 0o077;
/** The most names in a summary. */
const NAMED_MAX = 8;

export interface Exposure {
  /** Paths, relative to the folder, that others can read or write; empty if they can only enter it. */
  readonly names: readonly string[];
  /** For people: the first names, and the number of the others. */
  readonly summary: string;
  /** The command that fixes it. */
  readonly command: string;
}

/** Null if only the owner can enter the folder, or if it does not exist. Throws if it cannot be read. */
export function exposureOf(folder: string): Exposure | null {
  const state = statSync(folder, { throwIfNoEntry: false });
  if (state === undefined || (state.mode & OTHERS) === 0) return null;
  const names = exposedBelow(folder, folder);
  const more = names.length > NAMED_MAX ? ` and ${names.length - NAMED_MAX} more` : '';
  const summary = names.length === 0 ? 'the names of its files' : `${names.slice(0, NAMED_MAX).join(', ')}${more}`;
  return { names, summary, command: `chmod -R go= ${quoted(folder)}` };
}

/** Logs a warning at the start. Changes nothing: the operator may have given others access on purpose. */
export function warnOfExposure(log: { warn(facts: object, message: string): void }, folder: string): void {
  const exposure = exposureOf(folder);
  if (exposure === null) return;
  const { summary, command } = exposure;
  log.warn({ folder, files: summary, run: command }, 'data_folder_exposed: other users of this machine can read it');
}

function exposedBelow(root: string, folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // A file may have disappeared since the listing: an expired day, a renamed draft.
    const isExposed = ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0;
    if (!isExposed) return [];
    return entry.isDirectory() ? exposedBelow(root, path) : [relative(root, path)];
  });
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
