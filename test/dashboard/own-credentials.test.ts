/**
 * Goal: accounts and projects store credentials of their own, which nobody sees again, and only those may manage who may manage projects.
 * Method: the whole program with two customers; OpenRouter's own client; a provider on loopback, which the operator allows; then everything
 * that was answered, logged and stored is searched for the secrets.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { OpenRouter } from '@openrouter/sdk';
import { ManualClock } from '../../src/core/clock.ts';
import { headerOf } from '../support/http-reader.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { ask, codeOf, type Json, type Reply } from './ask.ts';
import { bearer, good, openTown, ROLES } from './two-accounts.ts';

const FIRST = 'canary.own.first.secret.abcd';
const SECOND = 'canary.own.second.secret.efgh';
const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
const town = await openTown({ log: { level: 'trace' } }, { clock });
after(() => town.close());
const { a, b, control, url } = town;
const within = (path: string, account = a.id) => `${path}?account=${account}`;
const upstream = await startScriptedUpstream((exchange) =>
  headerOf(exchange.request, 'authorization') === `Bearer ${SECOND}`
    ? exchange.whole(200, '{"data":[{"id":"gpt-5.1"},{"id":"gpt-5.1-mini"}]}')
    : exchange.whole(401, `{"error":{"message":"Incorrect API key provided: ${FIRST}"}}`),
);
after(() => upstream.close());
/** Everything that was answered. */
const answers: string[] = [];
const own = async (method: string, path: string, body?: object): Promise<Reply> => {
  const reply = await control(method, path, body);
  answers.push(reply.text);
  return reply;
};
const make = async (body: object): Promise<Json> => {
  const all = { provider: 'openai', key: FIRST, base_url: upstream.origin, ...body };
  return good(await own('POST', within('/byok'), all)).json.data;
};

test('a stored credential is shown by its last four characters, its policy and its state', async () => {
  const made = await make({ name: 'shown', allowed_models: ['openai/*'], fallback: true, project: a.project.name });
  const { id, created_at: _created, updated_at: _updated, sort_order: _order, ...shown } = made;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(shown, {
    name: 'shown',
    provider: 'openai',
    label: '…abcd',
    disabled: false,
    standing: 'untested',
    standing_at: null,
    problem: null,
    use: 'first',
    fallback: true,
    allowed_models: ['openai/*'],
    base_url: upstream.origin,
    options: {},
    project: { id: a.project.id, name: a.project.name },
    previous_until: null,
    created_by: 'operator',
    workspace_id: String(a.project.id),
    is_required: false,
    is_fallback: false,
    is_byok_only: false,
    allowed_api_key_hashes: null,
    allowed_user_ids: null,
    declared_zdr: null,
  });
  assert.deepEqual(good(await own('GET', within(`/byok/${id}`))).json.data, made);
  assert.deepEqual((await own('DELETE', within(`/byok/${id}`))).json, { deleted: true });
  assert.equal(codeOf(await own('GET', within(`/byok/${id}`))), 'not_found');
});

test('a test asks the provider with the secret and notes the result; a rotation replaces it, with an overlap if wanted', async () => {
  const { id } = await make({ name: 'tested' });
  const tested = async () => good(await own('POST', within(`/byok/${id}/test`))).json.data;
  const { ok, status, problem } = await tested();
  assert.deepEqual([ok, status, problem], [false, 401, 'The provider rejected the credential; check it.']);
  const standing = async () => good(await own('GET', within(`/byok/${id}`))).json.data;
  assert.deepEqual(
    [(await standing()).standing, (await standing()).standing_at],
    ['rejected', '2026-11-21T12:00:00.000Z'],
  );
  const rotated = good(await own('POST', within(`/byok/${id}/rotate`), { key: ` ${SECOND}\n`, overlap_ms: 3_600_000 }))
    .json.data;
  assert.deepEqual(
    [rotated.label, rotated.standing, rotated.previous_until],
    ['…efgh', 'untested', '2026-11-21T13:00:00.000Z'],
  );
  assert.deepEqual(((await tested()) as Json).model_names, ['gpt-5.1', 'gpt-5.1-mini']);
  assert.equal((await standing()).standing, 'good');
  const database = new DatabaseSync(join(town.bench.dataFolder, 'turnpike.db'), { readOnly: true });
  const previous = () => database.prepare('SELECT previous FROM own_credentials WHERE id = ?').get(id)?.['previous'];
  assert.ok(previous() instanceof Uint8Array);
  clock.advance(3_600_001);
  await control('GET', '/byok-providers');
  assert.equal((await standing()).previous_until, null);
  assert.equal(previous(), null, 'the old secret is deleted when its overlap is over');
  database.close();
  assert.equal((await own('POST', within(`/byok/${id}/rotate`), { key: FIRST })).json.data.previous_until, null);
});

test('policies, models and addresses that mean nothing are refused, in words and with the field', async () => {
  const refused: [body: object, param: string][] = [
    [{ use: 'only', fallback: true }, 'fallback'],
    [{ use: 'first', is_required: true }, 'is_required'],
    [{ is_fallback: true }, 'is_fallback'],
    [{ is_byok_only: true }, 'is_byok_only'],
    [{ allowed_api_key_hashes: ['ab'] }, 'allowed_api_key_hashes'],
    [{ declared_zdr: true }, 'declared_zdr'],
    [{ allowed_models: ['a*b'] }, 'allowed_models'],
    [{ allowed_models: [] }, 'allowed_models'],
    [{ provider: 'custom' }, 'provider'],
    [{ provider: 'demo' }, 'provider'],
    [{ region: 'us-east-1' }, 'region'],
    [{ credential_from: 'instance' }, 'credential_from'],
    [{ provider: 'azure', base_url: null }, 'base_url'],
    [{ provider: 'vertex', google_project: '../x' }, 'google_project'],
    [{ base_url: 'https://169.254.169.254/latest' }, 'base_url'],
    [{ base_url: 'https://[::ffff:10.0.0.1]' }, 'base_url'],
    [{ base_url: 'https://2852039166/' }, 'base_url'],
    [{ base_url: 'https://metadata.google.internal' }, 'base_url'],
    [{ base_url: 'https://user:pass@example.com' }, 'base_url'],
    [{ key: '   ' }, 'key'],
    [{ key: `${FIRST}\r\nx-evil: 1` }, 'key'],
    [{ project: 'no such' }, 'project'],
  ];
  for (const [body, param] of refused) {
    const reply = await own('POST', within('/byok'), { provider: 'openai', key: FIRST, ...body });
    assert.ok(reply.status === 400 || reply.status === 404, `${JSON.stringify(body)} ${reply.text}`);
    assert.ok(reply.json.error.message.includes(param), `${JSON.stringify(body)} ${reply.text}`);
  }
});

test('a stored secret is not sent to another address: it is entered again with it', async () => {
  const { id } = await make({ name: 'fixed', base_url: null });
  const moved = { base_url: upstream.origin };
  assert.match((await own('PATCH', within(`/byok/${id}`), moved)).json.error.message, /^key: enter it again/);
  assert.equal(good(await own('PATCH', within(`/byok/${id}`), { ...moved, key: SECOND })).json.data.label, '…efgh');
  assert.equal(
    codeOf(await own('POST', within('/byok'), { provider: 'openai', key: FIRST, name: 'fixed' })),
    'conflict',
  );
});

test('admins and owners manage them; everybody else of the account only sees them; others see nothing', async () => {
  const { id } = await make({ name: 'guarded' });
  for (const role of ROLES) {
    const { browser } = a.people[role];
    const mayManage = role === 'admin' || role === 'owner';
    for (const [method, path, body] of [
      ['PATCH', `/byok/${id}`, { disabled: false }],
      ['POST', `/byok/${id}/rotate`, { key: FIRST }],
      ['POST', `/byok/${id}/test`, {}],
    ] as const) {
      const reply = await browser.ask(method, within(path), body);
      answers.push(reply.text);
      assert.equal(reply.status, mayManage ? 200 : 403, `${role} ${method} ${path}`);
    }
    const list = good(await browser.ask('GET', within('/byok')));
    answers.push(list.text);
    assert.ok(list.json.data.some((each: Json) => each.id === id));
  }
  const foreign = await b.people.owner.browser.ask('GET', `/byok/${id}?account=${b.id}`);
  assert.equal(foreign.status, 404);
  const ofB = good(await b.people.owner.browser.ask('GET', within('/byok', b.id))).json.data;
  assert.deepEqual(
    ofB.map(({ name }: Json) => name),
    [`Own of ${b.mark}`],
  );
  assert.equal((await ask(url, { path: '/api/v1/byok', headers: bearer(a.keys.active.secret) })).status, 403);
});

test("OpenRouter's own client manages them with a management key", async () => {
  const { byok } = new OpenRouter({ apiKey: a.keys.management.secret, serverURL: `${url}/api/v1` });
  const made = await byok
    .create({
      createBYOKKeyRequest: { provider: 'amazon-bedrock', key: 'AKIAEXAMPLE:secret', name: 'Bedrock' },
    })
    .catch((error: Error) => error);
  // Without a region the credential cannot be used, which is said at once.
  assert.ok(made instanceof Error && /region/.test(made.message));
  const { data } = await byok.create({
    createBYOKKeyRequest: {
      provider: 'google-ai-studio',
      key: FIRST,
      name: 'Google',
      isRequired: true,
      allowedModels: ['google/*'],
    },
  });
  assert.deepEqual(
    [data.provider, data.isRequired, data.allowedModels, data.workspaceId],
    ['google', true, ['google/*'], null],
  );
  const changed = await byok.update({
    id: data.id,
    updateBYOKKeyRequest: { name: 'G', disabled: true, isRequired: false },
  });
  assert.deepEqual([changed.data.name, changed.data.disabled, changed.data.isRequired], ['G', true, false]);
  assert.equal((await byok.get({ id: data.id })).data.label, '…abcd');
  const names: (string | null | undefined)[] = [];
  for await (const { result } of await byok.list({ provider: 'google-ai-studio', limit: 1 }))
    names.push(...result.data.map(({ name }) => name));
  assert.deepEqual(names, ['G']);
  assert.deepEqual(await byok.delete({ id: data.id }), { deleted: true });
});

test('an account has a bounded number of them', async () => {
  const { id } = good(await control('POST', '/accounts', { name: 'Many' })).json.data;
  for (let index = 0; index < 100; index += 1)
    good(await control('POST', within('/byok', id), { provider: 'groq', key: `gsk-${index}` }));
  const last = await control('POST', within('/byok', id), { provider: 'groq', key: 'gsk-last' });
  assert.equal(codeOf(last), 'conflict');
  assert.equal((await control('GET', `/byok?account=${id}&limit=100`)).json.data.length, 100);
});

test('the sealing key can be rotated; a value that is copied to another row or tenant does not open', async () => {
  const { id } = await make({ name: 'sealed' });
  const { unopened } = good(await control('POST', '/credentials/rotate', {})).json.data;
  assert.deepEqual(unopened, []);
  const tested = good(await own('POST', within(`/byok/${id}/test`))).json.data;
  assert.equal(tested.status, 401);
  const database = new DatabaseSync(join(town.bench.dataFolder, 'turnpike.db'));
  const secretOf = (row: string) =>
    database.prepare('SELECT secret FROM own_credentials WHERE id = ?').get(row)?.['secret'];
  database.prepare('UPDATE own_credentials SET secret = ? WHERE id = ?').run(secretOf(id) as Uint8Array, b.credential);
  database.prepare('UPDATE own_credentials SET account_id = ? WHERE id = ?').run(b.id, id);
  database.close();
  const report = good(await control('GET', '/credentials')).json.data;
  assert.deepEqual(
    report.unopened.map((about: string) => about.split(':').slice(0, 3).join(':')).toSorted(),
    [`own:${b.credential}:${b.id}`, `own:${id}:${b.id}`].toSorted(),
  );
});

test('no secret is in an answer, a log line, the audit log or any file', async () => {
  const audit = good(await control('GET', within('/audit'))).text;
  assert.match(audit, /own_credential\.create/);
  assert.match(audit, /own_credential\.rotate/);
  const metrics = (await ask(url, { path: '/metrics' })).text;
  const shown = [...answers, audit, metrics, ...town.bench.log].join('\n');
  const files = readdirSync(town.bench.dataFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  for (const secret of [FIRST, SECOND]) {
    assert.ok(!shown.includes(secret), secret);
    for (const form of [secret, Buffer.from(secret).toString('base64').slice(0, -4)])
      assert.ok(
        files.every((file) => !file.includes(form)),
        secret,
      );
  }
});
