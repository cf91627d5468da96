/**
 * Goal: what `deploy/` has starts as it is where there is a daemon. Method: the compose file is read as `docker compose` reads it,
 * each node's environment by the program's own configuration; `npm run prove -- compose` starts all of it.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '../../src/config/load-config.ts';
import { milliseconds, readCompose, startOrder } from './read-compose.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const DEPLOY = join(ROOT, 'deploy');
const TEXT = readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8');
const NGINX = readFileSync(join(DEPLOY, 'nginx.conf'), 'utf8');
const SECRETS = {
  POSTGRES_PASSWORD: 'a-password',
  TURNPIKE_PEPPER: '0123456789abcdef'.repeat(4),
  TURNPIKE_SEALING_KEY: 'fedcba9876543210'.repeat(4),
};

test('the file has nothing that compose does not know, and starts what others depend on first', () => {
  const { compose } = readCompose(TEXT, SECRETS);
  const order = startOrder(compose);
  assert.deepEqual(order, ['postgres', 'valkey', 'node-1', 'node-2', 'node-3', 'nginx']);
  for (const [name, { healthcheck }] of Object.entries(compose.services)) {
    assert.ok(healthcheck.test.length >= 2, `${name} has a health check`);
    assert.ok(milliseconds(healthcheck.interval) <= 5_000, `${name} is known to be healthy soon`);
  }
});

test('a misspelled key, an unknown service and an unknown volume are refused', () => {
  assert.throws(() => readCompose(TEXT.replace('healthcheck:', 'healtcheck:'), SECRETS), /healtcheck/);
  assert.throws(
    () => readCompose(TEXT.replace('      node-3:\n        condition', '      node-4:\n        condition'), SECRETS),
    /node-4/,
  );
  assert.throws(() => readCompose(TEXT.replace('- node-3:/data', '- node-5:/data'), SECRETS), /node-5/);
});

test('nginx asks another node if a connection is not made in time, and never if an answer is late', () => {
  const seconds = (name: string) => {
    const [, count, unit] = new RegExp(`^ *${name} (\\d+)([smh]);$`, 'm').exec(NGINX) ?? assert.fail(name);
    return Number(count) * (unit === 'h' ? 3_600 : unit === 'm' ? 60 : 1);
  };
  assert.match(NGINX, /^ *proxy_next_upstream error timeout http_503 non_idempotent;$/m);
  const limit = seconds('proxy_next_upstream_timeout');
  assert.ok(3 * seconds('proxy_connect_timeout') < limit, 'each node can be tried');
  assert.ok(limit < seconds('proxy_read_timeout') && limit < seconds('proxy_send_timeout'), 'no call is made twice');
});

test('each secret must be set, and the example lists every variable', () => {
  for (const name of Object.keys(SECRETS))
    assert.throws(() => readCompose(TEXT, { ...SECRETS, [name]: '' }), new RegExp(`${name} is not set`));
  const { variables } = readCompose(TEXT, SECRETS);
  const example = readFileSync(join(DEPLOY, 'example.env'), 'utf8');
  const listed = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  assert.deepEqual(
    [...variables.keys()].filter((name) => name !== 'BIND' && name !== 'PORT').sort(),
    [...listed].sort(),
  );
  assert.deepEqual(
    [...variables].filter(([, { required }]) => required).map(([name]) => name),
    Object.keys(SECRETS),
  );
});

test('the program takes the environment of each node, all the same but for the name', () => {
  const { services } = readCompose(TEXT, SECRETS).compose;
  const nodes = Object.entries(services).filter(([name]) => name.startsWith('node-'));
  assert.equal(nodes.length, 3);
  for (const [name, { environment, stop_grace_period: grace }] of nodes) {
    const { config } = loadConfig({ flags: {}, environment, cwd: DEPLOY });
    assert.equal(config.nodes.name, name);
    assert.equal(config.durability, 'database');
    assert.ok(
      milliseconds(grace) > config.timeouts.drainMs + config.timeouts.drainDelayMs,
      'calls may end before it is killed',
    );
    assert.deepEqual(
      { ...environment, TURNPIKE_NODES_NAME: '' },
      { ...nodes[0]?.[1].environment, TURNPIKE_NODES_NAME: '' },
    );
  }
});

test('the image runs the program as the nodes do, as a user of its own', () => {
  const image = readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8');
  assert.match(image, /^USER turnpike$/m);
  assert.match(image, /^CMD \["node_modules\/\.bin\/node", "src\/cli\.ts", "serve"\]$/m);
});

test('nginx has every node, and asks the next one when a node drains', () => {
  const { services } = readCompose(TEXT, SECRETS).compose;
  const configuration = readFileSync(join(DEPLOY, 'nginx.conf'), 'utf8');
  const servers = [...configuration.matchAll(/^\s+server ([\w-]+):8080 /gm)].map(([, name]) => name);
  assert.deepEqual(
    servers,
    Object.keys(services).filter((name) => name.startsWith('node-')),
  );
  assert.match(configuration, /proxy_next_upstream error timeout http_503 non_idempotent;/);
});
