/** For tests: a Redis or Valkey of their own, on loopback, that can be stopped, hung and emptied. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';

interface FoundRedis {
  readonly server: string | null;
  readonly libraries: readonly string[];
  readonly problem: string | null;
}

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** A client for what a test does to it. */
  readonly client: Redis;
  readonly process: ChildProcess;
  /** Stops answering, but keeps its connections. */
  hang(): void;
  goOn(): void;
  /** As `kill -9`. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** A server that a test uses and does not disturb; others may use it, too. */
export interface UsedRedis {
  readonly url: string;
  close(): Promise<void>;
}

/** That of `TEST_VALKEY_URL` if it is set, otherwise one of its own. */
export async function openRedis(): Promise<UsedRedis> {
  const given = process.env['TEST_VALKEY_URL'];
  return given === undefined ? startRedis() : { url: given, close: async () => undefined };
}

/** For tests that stop or empty it. Throws with what to install if there is no server. `port`: of one that was killed, to take its place. */
export async function startRedis(port?: number): Promise<RedisServer> {
  const { prepareRedis } = (await import(
    pathToFileURL(join(import.meta.dirname, '..', '..', 'scripts', 'redis.mjs')).href
  )) as { prepareRedis(): FoundRedis };
  const { server, libraries, problem } = prepareRedis();
  if (server === null) throw new Error(problem ?? 'there is no redis-server');
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-redis-server-'));
  const chosen = port ?? (await freePort());
  const flags = ['--port', `${chosen}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const child = spawn(server, [...flags, '--enable-debug-command', 'yes'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { LD_LIBRARY_PATH: libraries.join(':') },
  });
  const exited = once(child, 'exit');
  child.stdout.resume();
  const client = new Redis(chosen, '127.0.0.1', { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  await Promise.race([
    client.ping(),
    exited.then(() => {
      throw new Error('redis-server did not start');
    }),
  ]);
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return {
    url: `redis://127.0.0.1:${chosen}`,
    port: chosen,
    client,
    process: child,
    hang: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    kill,
    async close() {
      client.disconnect();
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
