/** `turnpike serve` as an operator starts it, in a folder that outlives it: for tests that signal, kill and restart it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { newSecret } from '../../src/accounts/secret/key-secret.ts';
import { callIdFromBytes, generationId } from '../../src/core/ids.ts';
import type { Ending } from '../../src/core/settlement.ts';
import { endingOf } from '../../src/storage/sql/codes.ts';
import { childEnvironment } from './child-environment.ts';
import type { ConfigFile } from './open-gateway.ts';
import { furnished } from './plenty.ts';

export interface Installation {
  readonly folder: string;
  readonly dataFolder: string;
  readonly key: string;
}

export interface ServeProcess extends Installation {
  readonly url: string;
  readonly process: ChildProcess;
  /** All it printed so far. */
  printed(): string;
  /** What is in its database; for when it has ended, or to look at what is committed. */
  settlements(): readonly { readonly id: string; readonly ending: Ending }[];
  /** Kills it if it runs, and removes its folder. */
  remove(): Promise<void>;
}

const CLI = join(import.meta.dirname, '../../src/cli.ts');

export async function newInstallation(file: ConfigFile): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'turnpike-serve-'));
  const dataFolder = join(folder, 'data');
  await writeFile(join(folder, 'turnpike.yaml'), JSON.stringify({ port: 0, dataFolder, ...furnished(file) }));
  return { folder, dataFolder, key: newSecret().reveal() };
}

/** Starts the program in a new folder, or in that of one that ended. Rejects with its output if it does not start. */
export async function startServer(
  where: ConfigFile | Installation,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServeProcess> {
  const installation = isInstallation(where) ? where : await newInstallation(where);
  const { folder, dataFolder, key } = installation;
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
    settlements() {
      const database = new DatabaseSync(join(dataFolder, 'turnpike.db'), { readOnly: true });
      const rows = database.prepare('SELECT call_id, ending FROM settlements').all();
      database.close();
      return rows.map((row) => ({
        id: generationId(callIdFromBytes(row['call_id'] as Uint8Array)),
        ending: endingOf(row['ending'] as number),
      }));
    },
    async remove() {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function isInstallation(where: ConfigFile | Installation): where is Installation {
  return typeof where['folder' as keyof typeof where] === 'string';
}
