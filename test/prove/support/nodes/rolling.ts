/** Every node is stopped and started again, one after the other, behind nginx and under load: no call fails. */

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '../../../support/free-port.ts';
import { loadProvider, startPacedProvider } from '../load/paced-provider.ts';
import { pause } from '../load/pause.ts';
import { Cluster } from './cluster.ts';
import { failuresOf, NodeLoad } from './node-load.ts';
import type { VersionBefore } from './version-before.ts';

const NODES = 4;
const RATE = 60;

export interface RollingOptions {
  readonly rounds: number;
  /** Another version of the program that the nodes begin with; null for the same one. */
  readonly before: Pick<VersionBefore, 'folder' | 'what' | 'lacksMigrations'> | null;
}

/** Returns figures; throws at the first violation. */
export async function rolling({ rounds, before }: RollingOptions): Promise<string> {
  const provider = await startPacedProvider();
  const ports: number[] = [];
  for (let index = 0; index < NODES; index += 1) ports.push(await freePort());
  const cluster = await Cluster.start({
    nodes: NODES,
    file: { demo: false, providers: [loadProvider(provider.origin)] },
    environment: { TURNPIKE_TIMEOUTS_DRAIN_DELAY_MS: '1000', TRUST_PROXY: '1' },
    environmentOf: (index) => ({ PORT: String(ports[index]) }),
    ...(before === null ? {} : { program: join(before.folder, 'src', 'cli.ts') }),
  });
  const migrations = () => cluster.inLedger((ledger) => ledger.sum('select count(*) from migrations'));
  const migrationsBefore = await migrations();
  const nginx = await startNginx(ports);
  const load = new NodeLoad({
    urls: () => [nginx.url],
    keys: [cluster.key],
    rate: RATE,
    pace: { pieces: 10, pauseMs: 50 },
  });
  let restarts = 0;
  try {
    load.start();
    await pause(5_000);
    for (let round = 1; round <= rounds; round += 1) {
      for (const node of cluster.nodes) {
        assert.equal(await node.stop(), 0, `${node.name} ends in order:\n${node.server.printed()}`);
        // From the first round on, all are of this version.
        await node.start('this version');
        restarts += 1;
        await pause(1_000);
      }
    }
    await pause(3_000);
    await load.stop();
    assert.equal(load.failures, 0, failuresOf(load));
    if (before?.lacksMigrations === true)
      assert.ok((await migrations()) > migrationsBefore, 'nodes migrated meanwhile');
    for (const node of cluster.nodes) assert.equal(await node.stop(), 0);
    const totals = await cluster.inLedger((ledger) => ledger.check());
    assert.equal(totals.settlements, load.made, 'every call is settled once');
    assert.equal(totals.lent, 0n, 'nothing is lent once all nodes have ended');
    return `${restarts} restarts of ${NODES} nodes behind nginx${before === null ? '' : `, from ${before.what}`}: 0 of ${load.made} calls failed, p99 ${load.within(0.99).toFixed(0)} ms, sums exact`;
  } finally {
    await nginx.close();
    await cluster.close();
    await provider.close();
  }
}

interface Nginx {
  readonly url: string;
  close(): Promise<void>;
}

/** With the rules of `deploy/nginx.conf`. */
async function startNginx(ports: readonly number[]): Promise<Nginx> {
  const { prepareNginx } = (await import(
    pathToFileURL(join(import.meta.dirname, '../../../../scripts/nginx.mjs')).href
  )) as { prepareNginx(): { server: string | null; libraries: readonly string[]; problem: string | null } };
  const { server, libraries, problem } = prepareNginx();
  if (server === null) throw new Error(problem ?? 'there is no nginx');
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-nginx-'));
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, port, ports));
  const child: ChildProcess = spawn(server, ['-c', file, '-p', folder, '-e', join(folder, 'error.log')], {
    stdio: 'inherit',
    env: { PATH: process.env['PATH'], LD_LIBRARY_PATH: libraries.join(':') },
  });
  const exited = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries += 1) {
    const answer = await fetch(`${url}/health/ready`).catch(() => null);
    if (answer?.ok === true) break;
    assert.ok(tries < 200, 'nginx serves');
    await pause(50);
  }
  return {
    url,
    async close() {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configuration(folder: string, port: number, ports: readonly number[]): string {
  const servers = ports.map((each) => `server 127.0.0.1:${each} max_fails=1 fail_timeout=2s;`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  return `daemon off; worker_processes 1; pid ${join(folder, 'nginx.pid')};
    events { worker_connections 4096; }
    http {
      access_log off; ${temporary.join(' ')}
      upstream turnpike { zone turnpike 256k; least_conn; ${servers.join(' ')} keepalive 64; keepalive_timeout 60s; }
      server {
        listen 127.0.0.1:${port};
        client_max_body_size 0;
        location / {
          proxy_pass http://turnpike; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host;
          proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_buffering off; proxy_request_buffering on;
          client_body_buffer_size 1m; proxy_connect_timeout 2s; proxy_read_timeout 1h;
          proxy_next_upstream error timeout http_503 non_idempotent; proxy_next_upstream_tries 3;
          proxy_next_upstream_timeout 30m;
        }
      }
    }`;
}
