/**
 * The real program for a test: a separate process on a free port, with a temporary data folder,
 * a known key, and everything it prints kept for checks.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { newSecret } from '../../src/accounts/secret/key-secret.ts';
import { childEnvironment } from './child-environment.ts';
import { furnished } from './plenty.ts';
import { RawConnection } from './raw-connection.ts';
import { newTestStorage } from './test-storage.ts';

export interface TestGateway {
  /** `http://127.0.0.1:<port>`: the base address of the spec. */
  readonly url: string;
  /** An inference key of the default project. */
  readonly key: string;
  readonly dataFolder: string;
  readonly process: ChildProcess;
  /** A request with the key, for tests without their own client. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  connect(): Promise<RawConnection>;
  /** Ends the program normally, removes its folder, and returns everything it printed. Throws if it had crashed. */
  stop(): Promise<string>;
}

export interface GatewayOptions {
  /** Contents of `turnpike.yaml`, besides the port and the data folder. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** An existing data folder; a new one if absent. */
  readonly dataFolder?: string;
  /** Files that are loaded into the program before its own code. */
  readonly imports?: readonly URL[];
}

export async function startGateway(options: GatewayOptions = {}): Promise<TestGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'turnpike-gateway-'));
  const dataFolder = options.dataFolder ?? join(folder, 'data');
  const key = newSecret().reveal();
  const storage = await newTestStorage(options.config ?? {});
  const file = { port: 0, dataFolder, ...storage.file, ...furnished(options.config) };
  // JSON is YAML, so the file needs no separate writer.
  await writeFile(join(folder, 'turnpike.yaml'), JSON.stringify(file));
  const child = fork(new URL('./gateway-process.ts', import.meta.url), {
    cwd: folder,
    env: childEnvironment({ BOOTSTRAP_KEY: key, ...options.environment }),
    execArgv: [...process.execArgv, ...(options.imports ?? []).flatMap((file) => ['--import', file.href])],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const printed = Promise.all([child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream))));
  const exited = once(child, 'exit');
  const url = await Promise.race([
    once(child, 'message').then(([message]) => (message as { url: string }).url),
    exited.then(async ([code]) => {
      await rm(folder, { recursive: true, force: true });
      throw new Error(`the gateway ended with ${code} before it listened:\n${(await printed).join('\n')}`);
    }),
  ]);
  return {
    url,
    key,
    dataFolder,
    process: child,
    fetch: (path, init = {}) =>
      fetch(url + path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } }),
    connect: () => RawConnection.open(url),
    async stop() {
      if (child.connected) child.send('stop');
      const [code] = await exited;
      await storage.drop();
      await rm(folder, { recursive: true, force: true });
      const output = (await printed).join('\n');
      if (code !== 0) throw new Error(`the gateway ended with ${code}:\n${output}`);
      return output;
    },
  };
}
