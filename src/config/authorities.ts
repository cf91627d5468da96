/** Certificate files of the configuration and of Node. */
import { resolve } from 'node:path';
import { readAuthorities } from '../upstream/authorities.ts';
import type { Environment } from './environment.ts';
import type { Problem } from './problem.ts';

/** Node itself prints one line on standard error for a file that it cannot read, and continues without it. */
export function checkNodeAuthorities(environment: Environment, cwd: string): readonly Problem[] {
  const named = environment.read('NODE_EXTRA_CA_CERTS');
  const { problem } = findAuthorities(named?.value ?? null, cwd);
  if (named === null || problem === null) return [];
  return [{ where: named.source, message: `${problem}; providers whose certificates need it cannot be reached` }];
}

/** `file` is absolute; null if there is a problem. */
export function findAuthorities(
  named: string | null,
  cwd: string,
): { readonly file: string | null; readonly problem: string | null } {
  if (named === null) return { file: null, problem: null };
  const file = resolve(cwd, named);
  try {
    readAuthorities(file);
    return { file, problem: null };
  } catch (error) {
    return { file: null, problem: (error as Error).message };
  }
}
