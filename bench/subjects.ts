/**
 * Who is measured: nginx's `proxy_pass`, a bare Node proxy, and Turnpike with everything on. Each
 * does the same key check and forwards to the same backend. `direct` is the backend itself, what
 * the latency of the others is taken against.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  backendPaths,
  callerModel,
  type DialectName,
  dialects,
  otherDialect,
  type Scenario,
  scenarios,
  translatedModel,
  upstreamModel,
} from './bodies.ts';
import { ensureNginx, nginxConfiguration } from './nginx.ts';
import { type PinnedProcess, startPinned } from './pinned-process.ts';

export type SubjectName = 'nginx' | 'bare' | 'turnpike';
export const subjectNames: readonly SubjectName[] = ['nginx', 'bare', 'turnpike'];

/** The core of whoever is measured; the backend and the load generator have the other one. */
export const subjectCore = 0;
export const loadCore = 1;

export interface Subject {
  readonly name: SubjectName | 'direct';
  readonly port: number;
  readonly key: string;
  /** Whether answers carry the caller's name for the model: then its edits are part of what is measured. */
  readonly editsModel: boolean;
  path(dialect: DialectName): string;
  /** Reports the event loop's longest pause since the last report; null where that is not watched. */
  readonly loopWorstMs: (() => Promise<number>) | null;
  /** Null for `direct`. */
  readonly process: PinnedProcess | null;
  stop(): Promise<void>;
}

export interface Backend {
  readonly port: number;
  stop(): Promise<void>;
}

const projectFolder = join(import.meta.dirname, '..');
/** A variable, as plain JavaScript has no types to check. */
const setup = join(projectFolder, 'scripts', 'setup.mjs');
const { runtimeFlags } = (await import(setup)) as { runtimeFlags(cores: number): string[] };

export async function startBackend(): Promise<Backend> {
  const child = startPinned(loadCore, process.execPath, [join(import.meta.dirname, 'backend.ts')]);
  const [, port] = await child.printed(/^listening (\d+)/m);
  return { port: Number(port), stop: () => child.stop() };
}

export function direct(backend: Backend): Subject {
  return {
    name: 'direct',
    port: backend.port,
    key: 'none',
    editsModel: false,
    path: (dialect) => backendPaths[dialect],
    loopWorstMs: null,
    process: null,
    stop: async () => {},
  };
}

export interface SubjectOptions {
  /** Where a CPU profile of Turnpike is written when it ends; null for none. */
  readonly profileFolder: string | null;
  /** Whether the event loop of a Node program is watched. */
  readonly watchLoop: boolean;
}

export function startSubject(name: SubjectName, backend: Backend, options: SubjectOptions): Promise<Subject> {
  switch (name) {
    case 'nginx':
      return startNginx(backend);
    case 'bare':
      return startBareProxy(backend, options);
    case 'turnpike':
      return startTurnpike(backend, options);
  }
}

async function startNginx(backend: Backend): Promise<Subject> {
  ensureNginx();
  const folder = temporaryFolder('nginx');
  const port = await freePort();
  const key = randomKey();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, nginxConfiguration({ port, key, backendPort: backend.port }));
  const child = startPinned(subjectCore, 'nginx', ['-p', folder, '-c', file, '-e', 'stderr']);
  await untilLive(child, port);
  return {
    name: 'nginx',
    port,
    key,
    editsModel: false,
    path: (dialect) => backendPaths[dialect],
    loopWorstMs: null,
    process: child,
    stop: () => stopAndForget(child, folder),
  };
}

async function startBareProxy(backend: Backend, options: SubjectOptions): Promise<Subject> {
  const key = randomKey();
  const child = startPinned(subjectCore, process.execPath, [
    ...loopWatch(options),
    join(import.meta.dirname, 'bare-proxy.ts'),
    `http://127.0.0.1:${backend.port}`,
    key,
  ]);
  const [, port] = await child.printed(/^listening (\d+)/m);
  return {
    name: 'bare',
    port: Number(port),
    key,
    editsModel: false,
    path: (dialect) => backendPaths[dialect],
    loopWorstMs: options.watchLoop ? loopReports(child) : null,
    process: child,
    stop: () => child.stop(),
  };
}

/** The real program with its defaults, a log line a call included, and two priced providers. */
async function startTurnpike(backend: Backend, options: SubjectOptions): Promise<Subject> {
  const folder = temporaryFolder('turnpike');
  const port = await freePort();
  const file = join(folder, 'turnpike.yaml');
  writeFileSync(file, turnpikeConfiguration(backend.port));
  const profiling = options.profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profileFolder}`];
  const child = startPinned(
    subjectCore,
    process.execPath,
    [
      // As `npm start` does where it has one core.
      ...runtimeFlags(1),
      ...profiling,
      ...loopWatch(options),
      join(projectFolder, 'src', 'cli.ts'),
      'serve',
      '--port',
      String(port),
      '--data',
      join(folder, 'data'),
      '--config',
      file,
    ],
    { folder, environment: { NODE_ENV: 'production', DEMO: 'false' } },
  );
  const [key] = await child.printed(/sk-tp-[0-9A-Za-z]{49}/);
  await untilLive(child, port);
  return {
    name: 'turnpike',
    port,
    key,
    editsModel: true,
    path: (dialect) => (dialect === 'openai-chat' ? '/api/v1/chat/completions' : '/v1/messages'),
    loopWorstMs: options.watchLoop ? loopReports(child) : null,
    process: child,
    stop: () => stopAndForget(child, folder),
  };
}

function turnpikeConfiguration(backendPort: number): string {
  const provider = (name: string, dialect: DialectName, idOf: (scenario: Scenario) => string) => ({
    name,
    kind: 'custom',
    origin: `http://127.0.0.1:${backendPort}`,
    credential: 'bench-credential',
    dialects: [dialect],
    chatPaths: { [dialect]: backendPaths[dialect] },
    models: scenarios.map((scenario) => ({
      id: idOf(scenario),
      upstream: upstreamModel(scenario),
      contextWindow: 128_000,
      outputCap: 16_384,
      prices: { input: '0.15', output: '0.6', cacheRead: '0.075' },
    })),
  });
  const providers = dialects.flatMap((dialect) => [
    provider(`relayed-${dialect}`, dialect, (scenario) => callerModel(dialect, scenario)),
    provider(`translated-${dialect}`, otherDialect(dialect), (scenario) => translatedModel(dialect, scenario)),
  ]);
  // JSON is YAML.
  return JSON.stringify({ providers }, null, 2);
}

function loopWatch(options: SubjectOptions): string[] {
  return options.watchLoop ? ['--import', join(import.meta.dirname, 'watch-loop.ts')] : [];
}

function loopReports(child: PinnedProcess): () => Promise<number> {
  let reports = 0;
  return async () => {
    reports += 1;
    process.kill(child.pid, 'SIGUSR2');
    const [, milliseconds] = await child.printed(new RegExp(`^loop-worst ${reports} (\\S+)$`, 'm'));
    return Number(milliseconds);
  };
}

async function stopAndForget(child: PinnedProcess, folder: string): Promise<void> {
  await child.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Polls until the port answers; a child that ended in the meantime is reported with what it said. */
async function untilLive(child: PinnedProcess, port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const lastWords = child.lastWords();
    if (lastWords !== null) throw new Error(`process ${child.pid} ended:\n${lastWords}`);
    if (await answers(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing answers on port ${port}`);
}

async function answers(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/health/live`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    // Nobody listens yet: the caller asks again, and gives up with an error of its own.
    return false;
  }
}

function temporaryFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `turnpike-bench-${name}-`));
}

function randomKey(): string {
  return `bench-${randomBytes(24).toString('hex')}`;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('no free port'));
        else resolve(address.port);
      });
    });
  });
}
