/** What to type for `turnpike` where this was started, so that commands in messages can be pasted. */
import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export interface Program {
  /** How commands begin: `turnpike`, `npx --no turnpike`, or the path of the program. */
  readonly name: string;
  /** The whole command that starts the server. */
  readonly serve: string;
}

export interface Started {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The working directory. */
  readonly cwd: string;
  /** The project's folder; by default the one that contains this file. */
  readonly checkout?: string;
}

const CHECKOUT = join(import.meta.dirname, '..', '..');

/** Decided by the shell's search path, otherwise by the folder: within a checkout npx finds the program. */
export function programFrom({ environment, cwd, checkout = CHECKOUT }: Started): Program {
  const folders = (environment['PATH'] ?? '').split(':').filter((folder) => !isOfNpm(folder));
  if (folders.some((folder) => existsSync(join(folder, 'turnpike')))) return commandsOf('turnpike');
  const below = relative(checkout, cwd);
  if (below !== '..' && !below.startsWith(`..${sep}`)) return { name: 'npx --no turnpike', serve: 'npm start' };
  return commandsOf(join(checkout, 'bin', 'turnpike.js'));
}

function commandsOf(name: string): Program {
  return { name, serve: `${name} serve` };
}

/** npm adds such folders to the search path of programs it runs; the user's shell does not have them. */
function isOfNpm(folder: string): boolean {
  return folder === '' || folder.endsWith(join('node_modules', '.bin')) || folder.endsWith('node-gyp-bin');
}
