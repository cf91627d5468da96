/** `turnpike serve` that a proof may kill at any moment, its start included. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { childEnvironment } from '../../support/child-environment.ts';
import type { Installation } from '../../support/serve-process.ts';

export interface SpawnedServer {
  readonly process: ChildProcess;
  /** Its address, or null when it ended before it had one. */
  readonly ready: Promise<string | null>;
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
  printed(): string;
  /** `kill -9`, or another signal that ends it at once; resolves when the process is gone. */
  kill(signal?: Death): Promise<void>;
}

/** SIGABRT ends it as `process.abort()` and a fatal error of the engine do. */
export type Death = 'SIGKILL' | 'SIGABRT';

const CLI = join(import.meta.dirname, '../../../src/cli.ts');

export interface SpawnOptions {
  /** A prefix of the command: a program that runs it. */
  readonly before?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The `cli.ts` of another version. */
  readonly program?: string;
}

export function spawnServer({ folder, key }: Installation, options: SpawnOptions = {}): SpawnedServer {
  const { before = [], environment = {}, program: cli = CLI } = options;
  const [program = process.execPath, ...parameters] = [...before, process.execPath, cli, 'serve'];
  const child = spawn(program, parameters, {
    cwd: folder,
    env: childEnvironment({ PATH: process.env['PATH'] ?? '', BOOTSTRAP_KEY: key, ...environment }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const gone = once(child, 'close').then(() => undefined);
  const ready = new Promise<string | null>((resolve) => {
    const onData = (bytes: Buffer) => {
      output += bytes;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output);
      if (found !== null) resolve(found[0]);
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    void gone.then(() => resolve(null));
  });
  return {
    process: child,
    ready,
    gone,
    printed: () => output,
    async kill(signal = 'SIGKILL') {
      child.kill(signal);
      await gone;
    },
  };
}
