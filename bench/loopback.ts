/** Ports and folders of the subjects, and waiting until they answer. */
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PinnedProcess } from './pinned-process.ts';

const ASK_EVERY_MS = 20;

/** Polls until `path` answers 200; a child that ended in the meantime is reported with its output. */
export async function untilAnswers(
  child: PinnedProcess,
  port: number,
  path = '/health/live',
  patienceMs = 15_000,
): Promise<void> {
  const deadlineMs = performance.now() + patienceMs;
  while (performance.now() < deadlineMs) {
    const lastWords = child.lastWords();
    if (lastWords !== null) throw new Error(`process ${child.pid} ended:\n${lastWords}`);
    if (await answers(port, path)) return;
    await sleep(ASK_EVERY_MS);
  }
  throw new Error(`nothing answers ${path} on port ${port}`);
}

async function answers(port: number, path: string): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    await response.arrayBuffer();
    return response.ok;
  } catch {
    // Nothing listens yet: the caller tries again, and gives up with its own error.
    return false;
  }
}

export function temporaryFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `turnpike-bench-${name}-`));
}

export function freePort(): Promise<number> {
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
