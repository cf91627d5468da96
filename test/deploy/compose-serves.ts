/** Starts what `deploy/compose.yaml` describes, and uses it through nginx as a caller does. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { control } from '../support/control.ts';
import { composePrograms } from './compose-programs.ts';
import { readCompose } from './read-compose.ts';
import { RunningCompose } from './run-compose.ts';

const FOLDER = resolve(import.meta.dirname, '../../deploy');

/** Returns figures; throws if something does not start or serve. */
export async function composeServes(): Promise<string> {
  const environment = {
    POSTGRES_PASSWORD: randomBytes(12).toString('hex'),
    TURNPIKE_PEPPER: randomBytes(32).toString('hex'),
    TURNPIKE_SEALING_KEY: randomBytes(32).toString('hex'),
  };
  if (spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0) return inContainers(environment);
  const { compose } = readCompose(readFileSync(join(FOLDER, 'compose.yaml'), 'utf8'), environment);
  const scratch = mkdtempSync(join(tmpdir(), 'turnpike-compose-'));
  const running = new RunningCompose(compose, { folder: FOLDER, scratch, ...(await composePrograms(scratch)) });
  try {
    const startedAt = performance.now();
    await running.up();
    const upMs = performance.now() - startedAt;
    const url = `http://${running.addressOf('nginx')}:8080`;
    const key = await makeKey(join(scratch, 'node-1', 'data'));
    const served = await callAll(url, key, 60);
    assert.equal(await running.stop('node-2'), 0, 'a node ends in order');
    served.push(...(await callAll(url, key, 30)));
    await running.start('node-2');
    await running.waitUntilHealthy('node-2');
    served.push(...(await callAll(url, key, 30)));
    assert.deepEqual(new Set(served), new Set([200]));
    return `as processes, healthy after ${(upMs / 1_000).toFixed(1)} s; ${served.length} calls through nginx, 0 failed, with node-2 stopped and started meanwhile`;
  } finally {
    await running.down();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** At one node; all know it. */
async function makeKey(dataFolder: string): Promise<string> {
  const { status, body } = await control(dataFolder, 'POST', '/control/api/keys', { name: 'compose' });
  assert.equal(status, 201, JSON.stringify(body));
  return (body as { readonly key: string }).key;
}

async function callAll(url: string, key: string, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let call = 0; call < count; call += 1) {
    const answer = await fetch(`${url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'demo/echo', messages: [{ role: 'user', content: `call ${call}` }] }),
    });
    await answer.arrayBuffer();
    statuses.push(answer.status);
  }
  return statuses;
}

function inContainers(environment: Readonly<Record<string, string>>): string {
  const docker = (...words: string[]) => {
    const { status, stderr } = spawnSync('docker', ['compose', '-f', join(FOLDER, 'compose.yaml'), ...words], {
      env: { ...process.env, ...environment },
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  };
  const startedAt = performance.now();
  try {
    docker('up', '--build', '--wait');
    return `docker compose up --wait succeeded after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`;
  } finally {
    docker('down', '--volumes');
  }
}
