/**
 * Goal: the control plane serves its routes, refuses unknown ones, and reveals no secret except a new key's, once. Method: real handlers
 * through `inject`, and a real socket file.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { controlOf } from '../../test/support/control-plane.ts';
import { CREDENTIAL, openFixture, record } from '../../test/support/control-services.ts';
import { generationId } from '../core/ids.ts';
import { listenControl } from './control-socket.ts';

async function open() {
  const fixture = await openFixture();
  const control = controlOf(fixture.services);
  const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: Record<string, unknown>) => {
    const answer = await control.inject({ method, url, ...(payload && { payload }) });
    return { status: answer.statusCode, text: answer.body, body: JSON.parse(answer.body) };
  };
  return { ...fixture, control, call };
}

test('unknown fields and routes are refused by name', async () => {
  const { call } = await open();
  const unknown = await call('GET', '/control/api/all/keys?include_revokd=true');
  assert.deepEqual([unknown.status, unknown.body.error.param], [400, 'include_revokd']);
  for (const path of ['/control/nothing', '/control/api/nothing', '/control/keys', '/']) {
    const { status, body } = await call('GET', path);
    assert.deepEqual([status, body.error.code], [404, 'not_found'], path);
  }
});

test('without a body, a key gets a default name and the oldest project', async () => {
  const { call } = await open();
  const { status, body, text } = await call('POST', '/control/api/keys');
  assert.equal(status, 201);
  assert.deepEqual([body.data.name, body.data.project.name], ['Key 1', 'Default']);
  const listed = await call('GET', '/control/api/all/keys');
  assert.ok(text.includes(body.key) && !listed.text.includes(body.key));
  assert.doesNotMatch(listed.text, /digest|pepper/);
});

test('a malformed body, a wrong type and one too large are client errors', async () => {
  const { control } = await open();
  const send = async (payload: string, type = 'application/json') =>
    (
      await control.inject({ method: 'POST', url: '/control/api/keys', payload, headers: { 'content-type': type } })
    ).json().error.code;
  assert.equal(await send('{"name":'), 'invalid_json');
  assert.equal(await send('<a/>', 'text/xml'), 'unsupported_media_type');
  assert.equal(await send(JSON.stringify({ name: 'x'.repeat(300_000) })), 'request_too_large');
});

test('an internal failure is an internal error that does not reveal its text', async () => {
  const { services } = await open();
  const control = controlOf({ ...services, audit: () => Promise.reject(new Error(`lost ${CREDENTIAL}`)) });
  const answer = await control.inject({ method: 'POST', url: '/control/api/keys' });
  assert.equal(answer.statusCode, 500);
  assert.equal(answer.json().error.code, 'internal_error');
  assert.doesNotMatch(answer.body, /canary/);
});

test('models are listed with their targets and their prices per million tokens', async () => {
  const { call } = await open();
  const { body } = await call('GET', '/control/api/offered-models');
  assert.deepEqual(
    body.data.map((each: { id: string }) => each.id),
    ['acme/large', 'acme/small'],
  );
  assert.deepEqual(body.data[0].targets[0].price_per_million, { prompt: '3', completion: '15' });
  assert.equal(body.data[1].targets[0].price_per_million, null);
});

test('providers are listed without credentials and can be tested by name', async () => {
  const { call } = await open();
  const list = await call('GET', '/control/api/providers');
  assert.doesNotMatch(list.text, /canary/);
  assert.equal(list.body.data[0].models, 2);
  assert.equal((await call('POST', '/control/api/providers/mine/test')).body.data.ok, true);
  assert.equal((await call('POST', '/control/api/providers/broken/test')).body.data.ok, false);
  assert.equal((await call('GET', '/control/api/providers/mine/connection')).body.data.ok, true);
});

test('records have exact costs and continue after an id', async () => {
  const { call, records, clock } = await open();
  for (let index = 0; index < 3; index += 1) {
    clock.advance(1);
    records.push(record(clock.now(), 1n + BigInt(index)));
  }
  const newest = await call('GET', '/control/api/records?limit=2');
  assert.equal(newest.body.data.length, 2);
  assert.match(newest.text, /"cost":0\.000000003[,}]/);
  assert.equal(newest.body.data[0].prompt_tokens, 15);
  const rest = await call('GET', `/control/api/records?after=${newest.body.data[0].id}`);
  assert.equal(rest.body.data.length, 1);
  assert.equal((await call('GET', '/control/api/records?after=nonsense')).status, 400);
  assert.equal((await call('GET', '/control/api/records?limit=0')).status, 400);
});

test('records since a sequence number are those that ended since, regardless of when they were admitted', async () => {
  const { call, records, clock } = await open();
  records.push(record(clock.now() + 1, 1n));
  const { sequence } = (await call('GET', '/control/api/records')).body;
  const late = record(clock.now(), 2n);
  records.push(late);
  const news = await call('GET', `/control/api/records?since=${sequence}`);
  assert.deepEqual(
    news.body.data.map((row: { id: string }) => row.id),
    [generationId(late.callId)],
  );
  assert.deepEqual((await call('GET', `/control/api/records?since=${news.body.sequence}`)).body, {
    data: [],
    sequence: 2,
  });
  assert.equal((await call('GET', '/control/api/records?since=-1')).status, 400);
});

test('records are filtered by the caller’s labels', async () => {
  const { call, records, clock } = await open();
  const labels = { user: 'u1', app: 'Harbour', referer: null, metadata: { team: 'a:b' }, isCut: false };
  for (let index = 0; index < 9; index += 1)
    records.push({ ...record(clock.now() + index, 1n), labels: index % 3 === 0 ? labels : null });
  const idsFor = async (query: string) =>
    (await call('GET', `/control/api/records?${query}`)).body.data.map((row: { id: string }) => row.id);
  const expected = records.filter(({ labels }) => labels !== null).map(({ callId }) => generationId(callId));
  assert.deepEqual(await idsFor('user=u1'), expected);
  assert.deepEqual(await idsFor('app=Harbour&limit=2'), expected.slice(-2));
  assert.deepEqual(await idsFor('metadata=team:a:b&since=0'), expected);
  assert.deepEqual(await idsFor('metadata=team:a'), []);
  assert.equal((await call('GET', '/control/api/records?metadata=team')).status, 400);
});

test('only its owner can open the socket, which replaces a stale one and serves the same handlers', async () => {
  const { control } = await open();
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-control-'));
  try {
    const path = join(folder, 'control.sock');
    writeFileSync(path, 'stale');
    await listenControl(control, path);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(await get({ socketPath: path, path: '/control/api/status' }), 200);
  } finally {
    await control.close();
    rmSync(folder, { recursive: true });
  }
});

test('over a network the control plane is refused', async () => {
  const { control } = await open();
  try {
    const address = new URL(await control.listen({ host: '127.0.0.1', port: 0 }));
    assert.equal(await get({ host: address.hostname, port: address.port, path: '/control/api/status' }), 403);
  } finally {
    await control.close();
  }
});

function get(options: { path: string; socketPath?: string; host?: string; port?: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ ...options, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });
}
