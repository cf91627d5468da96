/** The command line as an operator types it, with or without a running server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openForCommand } from '../../src/app/open-for-command.ts';
import { runCli } from '../../src/cli/run-cli.ts';
import { systemClock } from '../../src/core/clock.ts';
import { childEnvironment } from '../support/child-environment.ts';

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly notes: string;
}

const CLI = join(import.meta.dirname, '../../src/cli.ts');

/** Runs `turnpike` with these arguments in an installation's folder, which contains its `turnpike.yaml`, as a process of its own. */
export async function turnpikeProcess(folder: string, ...words: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [CLI, ...words], {
    cwd: folder,
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, notes, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number, out: out.trimEnd(), notes: notes.trimEnd() };
}

/** The same in this process, through what `src/cli.ts` calls: a start of the program takes longer than most commands. */
export function turnpike(folder: string, ...words: readonly string[]): Promise<Outcome> {
  return turnpikeWith({}, folder, ...words);
}

/** With these variables. */
export async function turnpikeWith(
  environment: Readonly<Record<string, string>>,
  folder: string,
  ...words: readonly string[]
): Promise<Outcome> {
  const [out, notes]: [string[], string[]] = [[], []];
  const code = await runCli(words, {
    environment,
    cwd: folder,
    terminal: { out: (line) => out.push(line), note: (line) => notes.push(line), colour: false },
    doors: {
      serve: async () => {
        throw new Error('a server is started as a process of its own');
      },
      openApp: openForCommand,
      now: () => Date.now(),
      wait: (ms) => new Promise((resolve) => void systemClock.after(ms, resolve)),
    },
  });
  return { code, out: out.join('\n').trimEnd(), notes: notes.join('\n').trimEnd() };
}
