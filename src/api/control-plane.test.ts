/**
 * Goal: the control plane does what it is asked, refuses what it does not know, and tells no secret
 * but a new key's own, once. Method: real handlers through `inject`, and a real socket file.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { generationId } from '../core/ids.ts';
import { buildControl } from './control-plane.ts';
import { CREDENTIAL, openFixture, project, record } from './fixture.ts';
import { listenControl } from './guard.ts';

async function open() {
  const fixture = await openFixture();
  const control = buildControl(fixture.services);
  const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: Record<string, unknown>) => {
    const answer = await control.inject({ method, url, ...(payload && { payload }) });
    return { status: answer.statusCode, text: answer.body, body: JSON.parse(answer.body) };
  };
  return { ...fixture, control, call };
}

test('a key is made with its secret shown once, listed without it, and revoked', async () => {
  const { call, clock } = await open();
  const made = await call('POST', '/control/keys', {
    name: 'ci',
    project: 'staging',
    expires_at: '2027-01-01T00:00:00Z',
  });
  assert.equal(made.status, 201);
  assert.match(made.body.key, /^sk-tp-[0-9A-Za-z]{49}$/);
  assert.deepEqual(made.body.data.project, { id: 2, name: 'staging' });
  assert.equal(made.body.data.expires_at, '2027-01-01T00:00:00.000Z');

  const listed = await call('GET', '/control/keys');
  assert.equal(listed.body.total_count, 1);
  assert.equal(listed.body.data[0].status, 'active');
  assert.ok(!listed.text.includes(made.body.key));
  assert.doesNotMatch(listed.text, /digest|pepper/);

  clock.advance(1000);
  const revoked = await call('DELETE', '/control/keys/ci');
  assert.equal(revoked.body.data.status, 'revoked');
  assert.equal((await call('GET', '/control/keys')).body.total_count, 0);
  assert.equal((await call('GET', '/control/keys?include_revoked=true')).body.total_count, 1);
});

test('a body may be absent, and then the key has a name and the oldest project', async () => {
  const { control } = await open();
  const answer = await control.inject({ method: 'POST', url: '/control/keys' });
  assert.equal(answer.statusCode, 201);
  assert.equal(answer.json().data.name, 'Key 1');
  assert.equal(answer.json().data.project.name, 'Default');
});

test('revoking by id, label or name finds one key, and twice changes nothing', async () => {
  const { call, clock } = await open();
  const first = (await call('POST', '/control/keys', { name: 'a' })).body.data;
  const second = (await call('POST', '/control/keys', { name: 'b' })).body.data;
  assert.equal((await call('DELETE', `/control/keys/${first.id}`)).status, 200);
  const once = await call('DELETE', `/control/keys/${encodeURIComponent(second.label)}`);
  clock.advance(5000);
  const twice = await call('DELETE', '/control/keys/b');
  assert.equal(twice.body.data.revoked_at, once.body.data.revoked_at);
  assert.equal((await call('DELETE', '/control/keys/c')).status, 404);
});

test('a name that several keys have is a conflict, and none of them is revoked', async () => {
  const { call } = await open();
  await call('POST', '/control/keys', { name: 'twin' });
  await call('POST', '/control/keys', { name: 'twin' });
  const answer = await call('DELETE', '/control/keys/twin');
  assert.equal(answer.status, 409);
  assert.deepEqual(answer.body.error.metadata.ids, [1, 2]);
  assert.equal((await call('GET', '/control/keys')).body.total_count, 2);
});

test('a name that is another key’s id is a conflict', async () => {
  const { call } = await open();
  await call('POST', '/control/keys', { name: '2' });
  await call('POST', '/control/keys', { name: 'other' });
  assert.equal((await call('DELETE', '/control/keys/2')).status, 409);
});

test('bad requests name their field', async () => {
  const { call, projects } = await open();
  projects.push(project(3, 'gone', 1), project(4, 'same'), project(5, 'same'));
  const cases: [Record<string, unknown>, number, string, string][] = [
    [{ nmae: 'x' }, 400, 'field_not_allowed', 'nmae'],
    [{ name: 5 }, 400, 'invalid_value', 'name'],
    [{ name: '' }, 400, 'invalid_value', 'name'],
    [{ expires_at: 'tomorrow' }, 400, 'invalid_value', 'expires_at'],
    [{ expires_at: '2026-11-30T00:00:00Z' }, 400, 'invalid_value', 'expires_at'],
    [{ project: 'nowhere' }, 404, 'not_found', 'project'],
    [{ project: 'gone' }, 404, 'not_found', 'project'],
    [{ project: 'same' }, 409, 'conflict', 'project'],
  ];
  for (const [body, status, code, param] of cases) {
    const answer = await call('POST', '/control/keys', body);
    assert.equal(answer.status, status, JSON.stringify(body));
    assert.equal(answer.body.error.code, code);
    assert.equal(answer.body.error.param, param);
  }
  assert.equal((await call('GET', '/control/keys?include_revokd=true')).status, 400);
  assert.equal((await call('GET', '/control/nothing')).body.error.code, 'not_found');
});

test('a broken body, a wrong type and one too large are the caller’s fault', async () => {
  const { control } = await open();
  const send = async (payload: string, type = 'application/json') =>
    (await control.inject({ method: 'POST', url: '/control/keys', payload, headers: { 'content-type': type } })).json()
      .error.code;
  assert.equal(await send('{"name":'), 'invalid_json');
  assert.equal(await send('<a/>', 'text/xml'), 'unsupported_media_type');
  assert.equal(await send(JSON.stringify({ name: 'x'.repeat(70_000) })), 'request_too_large');
});

test('what fails inside is an internal error that keeps its text to itself', async () => {
  const { services } = await open();
  const control = buildControl({ ...services, projects: () => Promise.reject(new Error(`lost ${CREDENTIAL}`)) });
  const answer = await control.inject('/control/keys');
  assert.equal(answer.statusCode, 500);
  assert.equal(answer.json().error.code, 'internal_error');
  assert.doesNotMatch(answer.body, /canary/);
});

test('models come with where they are served and what they cost per million tokens', async () => {
  const { call } = await open();
  const { body } = await call('GET', '/control/models');
  assert.deepEqual(
    body.data.map((each: { id: string }) => each.id),
    ['acme/large', 'acme/small'],
  );
  assert.deepEqual(body.data[0].targets[0].price_per_million, { prompt: '3', completion: '15' });
  assert.equal(body.data[1].targets[0].price_per_million, null);
});

test('providers are listed without credentials and can be tested by name', async () => {
  const { call } = await open();
  const list = await call('GET', '/control/providers');
  assert.doesNotMatch(list.text, /canary/);
  assert.equal(list.body.data[0].models, 2);
  assert.equal((await call('POST', '/control/providers/mine/test')).body.data.ok, true);
  assert.equal((await call('POST', '/control/providers/broken/test')).body.data.ok, false);
  const unknown = await call('POST', '/control/providers/nobody/test');
  assert.equal(unknown.status, 404);
  assert.match(unknown.body.error.message, /mine, broken/);
});

test('records carry exact costs and go on after an id', async () => {
  const { call, records, clock } = await open();
  for (let index = 0; index < 3; index += 1) {
    clock.advance(1);
    records.push(record(clock.now(), 1n + BigInt(index)));
  }
  const newest = await call('GET', '/control/records?limit=2');
  assert.equal(newest.body.data.length, 2);
  assert.match(newest.text, /"cost":0\.000000003[,}]/);
  assert.equal(newest.body.data[0].prompt_tokens, 15);
  const rest = await call('GET', `/control/records?after=${newest.body.data[0].id}`);
  assert.equal(rest.body.data.length, 1);
  assert.equal((await call('GET', '/control/records?after=nonsense')).status, 400);
  assert.equal((await call('GET', '/control/records?limit=0')).status, 400);
});

test('records since a sequence number are those that ended since, whenever they were admitted', async () => {
  const { call, records, clock } = await open();
  records.push(record(clock.now() + 1, 1n));
  const { sequence } = (await call('GET', '/control/records')).body;
  const late = record(clock.now(), 2n);
  records.push(late);
  const news = await call('GET', `/control/records?since=${sequence}`);
  assert.deepEqual(
    news.body.data.map((row: { id: string }) => row.id),
    [generationId(late.callId)],
  );
  assert.deepEqual((await call('GET', `/control/records?since=${news.body.sequence}`)).body, { data: [], sequence: 2 });
  assert.equal((await call('GET', '/control/records?since=-1')).status, 400);
});

test('records are picked out by what the caller said of itself', async () => {
  const { call, records, clock } = await open();
  const said = { user: 'u1', app: 'Harbour', referer: null, metadata: { team: 'a:b' }, isCut: false };
  for (let index = 0; index < 9; index += 1)
    records.push({ ...record(clock.now() + index, 1n), labels: index % 3 === 0 ? said : null });
  const idsFor = async (query: string) =>
    (await call('GET', `/control/records?${query}`)).body.data.map((row: { id: string }) => row.id);
  const meant = records.filter(({ labels }) => labels !== null).map(({ callId }) => generationId(callId));
  assert.deepEqual(await idsFor('user=u1'), meant);
  assert.deepEqual(await idsFor('app=Harbour&limit=2'), meant.slice(-2));
  assert.deepEqual(await idsFor('metadata=team:a:b&since=0'), meant);
  assert.deepEqual(await idsFor('metadata=team:a'), []);
  assert.equal((await call('GET', '/control/records?metadata=team')).status, 400);
});

test('the socket is its owner’s alone, replaces a stale one, and serves the same handlers', async () => {
  const { control } = await open();
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-control-'));
  try {
    const path = join(folder, 'control.sock');
    writeFileSync(path, 'left behind');
    await listenControl(control, path);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(await get({ socketPath: path, path: '/control/health' }), 200);
  } finally {
    await control.close();
    rmSync(folder, { recursive: true });
  }
});

test('over a network the control plane is refused', async () => {
  const { control } = await open();
  try {
    const address = new URL(await control.listen({ host: '127.0.0.1', port: 0 }));
    assert.equal(await get({ host: address.hostname, port: address.port, path: '/control/health' }), 403);
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
