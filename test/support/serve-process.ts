/** `turnpike serve` as an operator starts it, in a folder that outlives it: for tests that signal, kill and restart it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSecret } from '../../src/accounts/secret/key-secret.ts';
import { childEnvironment } from './child-environment.ts';
import type { ConfigFile } from './open-gateway.ts';
import { furnished } from './plenty.ts';
import { type EndedCall, endedCalls } from './settled-calls.ts';
import { newTestStorage, type TestStorage } from './test-storage.ts';

export interface Installation {
  readonly folder: string;
  readonly dataFolder: string;
  readonly key: string;
  /** Null if the ledger is in the data folder, whatever `TURNPIKE_TEST_STORAGE` says. */
  readonly storage: TestStorage | null;
}

export interface ServeProcess extends Installation {
  readonly url: string;
  readonly process: ChildProcess;
  /** All it printed so far. */
  printed(): string;
  /** What is committed; it may have ended. */
  settlements(): Promise<readonly EndedCall[]>;
  /** Kills it if it runs, and removes its folder and its database. */
  remove(): Promise<void>;
}

const CLI = join(import.meta.dirname, '../../src/cli.ts');

export async function newInstallation(file: ConfigFile): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'turnpike-serve-'));
  const dataFolder = join(folder, 'data');
  const storage = await newTestStorage(file);
  await writeFile(
    join(folder, 'turnpike.yaml'),
    JSON.stringify({ port: 0, dataFolder, ...storage.file, ...furnished(file) }),
  );
  return { folder, dataFolder, key: newSecret().reveal(), storage };
}

/** Starts the program in a new folder, or in that of one that ended. Rejects with its output if it does not start. */
export async function startServer(
  where: ConfigFile | Installation,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServeProcess> {
  const installation = isInstallation(where) ? where : await newInstallation(where);
  const { folder, dataFolder, key, storage } = installation;
  const child = spawn(process.execPath, [CLI, 'serve'], {
    cwd: folder,
    env: childEnvironment({ BOOTSTRAP_KEY: key, ...environment }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(output);
      if (found !== null) resolve(found[0]);
    });
    child.once('exit', (code) => reject(new Error(`it ended with ${code}:\n${output}`)));
  });
  return {
    ...installation,
    url,
    process: child,
    printed: () => output,
    settlements: () => endedCalls({ dataFolder, databaseUrl: storage?.url ?? null }),
    async remove() {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }
      await storage?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function isInstallation(where: ConfigFile | Installation): where is Installation {
  return typeof where['folder' as keyof typeof where] === 'string';
}
