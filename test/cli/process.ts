/** The command line as an operator types it, with or without a running server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { childEnvironment } from '../support/child-environment.ts';

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly notes: string;
}

const CLI = join(import.meta.dirname, '../../src/cli.ts');

/** Runs `turnpike` with these arguments in an installation's folder, which contains its `turnpike.yaml`. */
export async function turnpike(folder: string, ...words: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [CLI, ...words], {
    cwd: folder,
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, notes, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number, out: out.trimEnd(), notes: notes.trimEnd() };
}
