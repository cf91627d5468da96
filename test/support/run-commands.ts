/** Runs commands in this process, over a control plane in memory, in a folder with a data folder, and remembers what they print. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenedApp } from '../../src/cli/doors.ts';
import { runCli } from '../../src/cli/run-cli.ts';

export interface CommandRun {
  readonly code: number;
  readonly out: string;
  readonly notes: string;
}

export interface CommandRunner {
  /** Where commands run: removed when the process ends. */
  readonly cwd: string;
  /** A line is split at its spaces. */
  run(words: string | readonly string[]): Promise<CommandRun>;
}

export interface CommandRunnerParts {
  readonly control: OpenedApp['control'];
  /** Wall time, ms. */
  readonly now: () => number;
  readonly environment?: Readonly<Record<string, string>>;
}

const root = mkdtempSync(join(tmpdir(), 'turnpike-commands-'));
process.once('exit', () => rmSync(root, { recursive: true, force: true }));

export function commandRunner({ control, now, environment = { PORT: '0' } }: CommandRunnerParts): CommandRunner {
  const cwd = mkdtempSync(join(root, 'run-'));
  mkdirSync(join(cwd, 'data'), { mode: 0o700 });
  writeFileSync(join(cwd, 'data', 'turnpike.db'), '', { mode: 0o600 });
  return {
    cwd,
    async run(words) {
      const out: string[] = [];
      const notes: string[] = [];
      const split = typeof words === 'string' ? words.split(' ').filter((word) => word !== '') : words;
      const code = await runCli(split, {
        environment,
        cwd,
        terminal: { out: (text) => out.push(text), note: (text) => notes.push(text), colour: false },
        doors: {
          openApp: async () => ({ control, close: async () => {} }),
          wait: async () => {},
          now,
          serve: async () => 0,
        },
      });
      return { code, out: out.join('\n'), notes: notes.join('\n') };
    },
  };
}
