/**
 * What is measured: nginx's `proxy_pass`, a bare Node proxy, and Turnpike with everything on. Each
 * does the same key check and forwards to the same backend. `direct` is the backend itself, the
 * baseline for the others' latency.
 */

import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backendPath } from './dialects.ts';
import { freePort, temporaryFolder, untilAnswers } from './loopback.ts';
import { ensureNginx, nginxConfiguration } from './nginx.ts';
import { loadCore, type PinnedProcess, startPinned, subjectCore } from './pinned-process.ts';
import { loading, reportsOf } from './reports.ts';
import type { Backend, Subject, SubjectName, SubjectOptions } from './subject.ts';
import { startTurnpike } from './turnpike-subject.ts';

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
    path: backendPath,
    loopWorstMs: null,
    statements: null,
    process: null,
    stop: async () => {},
  };
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
  await untilAnswers(child, port);
  return {
    name: 'nginx',
    port,
    key,
    editsModel: false,
    path: backendPath,
    loopWorstMs: null,
    statements: null,
    process: child,
    stop: () => stopAndForget(child, folder),
  };
}

async function startBareProxy(backend: Backend, options: SubjectOptions): Promise<Subject> {
  const key = randomKey();
  const child = startPinned(subjectCore, process.execPath, [
    ...(options.watchLoop ? loading('watch-loop.ts') : []),
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
    path: backendPath,
    loopWorstMs: options.watchLoop ? reportsOf(child, 'loop-worst') : null,
    statements: null,
    process: child,
    stop: () => child.stop(),
  };
}

async function stopAndForget(child: PinnedProcess, folder: string): Promise<void> {
  await child.stop();
  rmSync(folder, { recursive: true, force: true });
}

function randomKey(): string {
  return `bench-${randomBytes(24).toString('hex')}`;
}
