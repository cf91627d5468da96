/**
 * Goal: calls use the own credentials of their account and project by their policies, the operator's only where that is allowed, and no secret
 * gets out. Method: the whole program; the operator's provider and the members' at two servers on loopback, of the same kind.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { inspect } from 'node:util';
import { ManualClock } from '../../src/core/clock.ts';
import { ask, type Json } from '../dashboard/ask.ts';
import { headerOf } from '../support/http-reader.ts';
import { chatBody, errorCode, openGateway } from '../support/open-gateway.ts';
import { commandRunner } from '../support/run-commands.ts';
import { type Script, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell, refuse, resetAtOnce, stream } from '../support/upstream-scripts.ts';

const MODEL = 'openai/gpt-5';
const UNPRICED = 'lab/mystery';
const OPERATORS = 'canary-credential-of-the-operator';
const OWN = 'canary-credential-of-the-team-one';
const NEWER = 'canary-credential-of-the-team-two';

const operators = await startScriptedUpstream(answerWell);
const members = await startScriptedUpstream(answerWell);
const clock = new ManualClock(Date.UTC(2026, 10, 21, 12));
const gateway = await openGateway(
  {
    log: { level: 'trace' },
    egress: { allow: ['127.0.0.1/32'], http: true },
    providers: [
      {
        name: 'openai',
        kind: 'openai',
        origin: operators.origin,
        credential: OPERATORS,
        models: [{ upstream: 'mystery', id: UNPRICED }],
      },
      { name: 'mistral', ownCredentialsOnly: true },
    ],
  },
  { clock },
);
after(async () => {
  await gateway.close();
  await operators.close();
  await members.close();
});
const socket = join(gateway.dataFolder, 'control.sock');
const control = async (method: string, path: string, body?: object): Promise<Json> => {
  const reply = await ask(socket, { method, path: `/control/api${path}`, body });
  assert.ok(reply.status < 300, reply.text);
  return reply.json.data;
};
/** Everything that callers got. */
const answers: string[] = [];

/** Which server was asked with which credential, since the last test. */
let seen: string[] = [];
const record =
  (script: Script): Script =>
  (exchange) => {
    seen.push((headerOf(exchange.request, 'authorization') ?? '').replace('Bearer ', ''));
    return script(exchange);
  };
const own = (body: object = {}) =>
  control('POST', '/byok', { provider: 'openai', key: OWN, base_url: members.origin, ...body });

beforeEach(async () => {
  for (const { id } of await control('GET', '/byok')) await control('DELETE', `/byok/${id}`);
  operators.play(record(answerWell));
  members.play(record(answerWell));
  seen = [];
  // What rested is well again, and the retry budget is whole.
  clock.advance(400_000);
});

async function call(model = MODEL, path = '/api/v1/chat/completions', more: object = {}) {
  const response = await gateway.post(path, { ...chatBody(false, 'hi', model), ...more });
  const text = await response.text();
  answers.push(text, [...response.headers].join('\n'));
  return { status: response.status, json: JSON.parse(text) as Json };
}

/** It is noted after the call: each look is a request of its own. */
async function standsAs(id: string, standing: string): Promise<void> {
  for (let looks = 0; looks < 500; looks += 1) if ((await control('GET', `/byok/${id}`)).standing === standing) return;
  assert.fail(`it never was ${standing}`);
}

test('an own credential serves instead of the operator’s, streamed and not, in every format', async () => {
  await own();
  for (const path of ['/api/v1/chat/completions', '/v1/messages', '/api/v1/responses'])
    for (const stream of [false, true]) {
      const body = path.endsWith('responses') ? { model: MODEL, input: 'hi', stream } : chatBody(stream, 'hi', MODEL);
      const response = await gateway.post(path, body);
      answers.push(await response.text());
    }
  assert.deepEqual([...new Set(seen)], [OWN]);
});

test('a project’s comes before the account’s; another project’s is never used', async () => {
  const other = await control('POST', '/projects', { name: 'other' });
  await own({ name: 'of the account' });
  await own({ name: 'of another', project: other.id, key: NEWER });
  assert.equal((await call()).status, 200);
  await own({ name: 'of the project', project: 'Default', key: NEWER });
  assert.equal((await call()).status, 200);
  assert.deepEqual(seen, [OWN, NEWER]);
});

test('only for its models; a disabled one not at all', async () => {
  const { id } = await own({ allowed_models: ['openai/gpt-5-chat*'] });
  await call();
  await control('PATCH', `/byok/${id}`, { allowed_models: ['openai/gpt-5*'] });
  await call();
  await control('PATCH', `/byok/${id}`, { disabled: true });
  await call();
  assert.deepEqual(seen, [OPERATORS, OWN, OPERATORS]);
});

const rejects = refuse(401, {
  error: { message: `Incorrect API key provided: ${OWN}`, type: 'invalid_request_error' },
});

test('a refusal is the account’s to know, and never falls to the operator’s unless allowed', async () => {
  members.play(record(rejects));
  const { id } = await own({ name: 'team key' });
  const refused = await call();
  assert.deepEqual([refused.status, errorCode(refused.json)], [502, 'upstream_credential_rejected']);
  assert.match(refused.json.error.message, /your own credential "team key"/);
  assert.deepEqual(seen, [OWN]);
  await standsAs(id, 'rejected');
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  assert.doesNotMatch(metrics, /alerts_total\{[^}]*credential_rejected/);
  assert.ok(gateway.log.every((line) => !/"msg":"credential_rejected"|provider_failing/.test(line)));

  await control('PATCH', `/byok/${id}`, { fallback: true });
  seen = [];
  assert.equal((await call()).status, 200);
  assert.equal(seen.at(-1), OPERATORS);

  // It rests: the next call does not ask it first.
  seen = [];
  assert.equal((await call()).status, 200);
  assert.deepEqual(seen, [OPERATORS]);

  members.play(record(answerWell));
  await control('PATCH', `/byok/${id}`, { key: NEWER, fallback: false, base_url: members.origin });
  seen = [];
  assert.equal((await call()).status, 200);
  assert.deepEqual(seen, [NEWER]);
  await standsAs(id, 'good');
});

test('a provider that cannot be reached is no reason to use the operator’s, unless allowed', async () => {
  members.play(resetAtOnce);
  const { id } = await own({ use: 'only' });
  assert.equal((await call()).status, 502);
  assert.deepEqual(seen, []);
  await control('PATCH', `/byok/${id}`, { use: 'first', fallback: true });
  assert.equal((await call()).status, 200);
  assert.deepEqual(seen, [OPERATORS]);
});

test('during the overlap of a rotation the old secret serves if the new one is refused', async () => {
  members.play((exchange) =>
    headerOf(exchange.request, 'authorization') === `Bearer ${NEWER}`
      ? record(rejects)(exchange)
      : record(answerWell)(exchange),
  );
  const { id } = await own();
  await control('POST', `/byok/${id}/rotate`, { key: NEWER, overlap_ms: 60_000 });
  assert.equal((await call()).status, 200);
  assert.deepEqual(seen, [NEWER, OWN]);
});

test('an address that is not allowed is not connected to, and the caller gets an error that says so', async () => {
  const { id } = await own({ base_url: 'https://127.0.0.1:9' });
  assert.equal((await call()).status, 502);
  await control('DELETE', `/byok/${id}`);
  // The name resolves to loopback only at the connection, where port and address are judged.
  await own({ base_url: 'https://localtest.invalid' });
  const refused = await call();
  assert.deepEqual([refused.status, errorCode(refused.json)], [502, 'upstream_unreachable']);
  assert.deepEqual(seen, []);
});

test('a provider without a credential of the operator’s serves those who bring one', async () => {
  const { catalog } = gateway.app.providers.current;
  const model = catalog.all().find(({ targets }) => targets.every(({ provider }) => provider === 'mistral'));
  const id = model?.id ?? assert.fail('the catalogue has no model of that provider');
  const refused = await call(id);
  assert.deepEqual([refused.status, errorCode(refused.json)], [403, 'model_not_allowed']);
  await own({ provider: 'mistral' });
  assert.equal((await call(id)).status, 200);
  assert.deepEqual(seen, [OWN]);
});

test('free operations use it too, and never the operator’s instead', async () => {
  await own({ use: 'only' });
  const response = await gateway.post('/v1/messages/count_tokens', chatBody(false, 'hi', MODEL));
  answers.push(await response.text());
  assert.ok(seen.every((credential) => credential === OWN));
});

test('a response that the provider stores in the caller’s own account cannot be named later', async () => {
  await own();
  const refused = await call(MODEL, '/api/v1/responses', {
    previous_response_id: 'resp_1',
    messages: undefined,
    max_tokens: undefined,
    input: 'hi',
  });
  assert.equal(refused.status, 400);
  assert.deepEqual(seen, []);
});

test('a provider that repeats the own secret is held back, in a whole answer, its headers and a stream', async () => {
  await own();
  const id = `chatcmpl-${OWN}`;
  const body = {
    id,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  };
  members.play(record((exchange) => exchange.whole(200, JSON.stringify(body), { 'x-request-id': OWN })));
  assert.equal((await call()).status, 502);
  const frame = { id, object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'Hi' } }] };
  members.play(record(stream([`data: ${JSON.stringify(frame)}\n\n`])));
  const streamed = await gateway.post('/api/v1/chat/completions', chatBody(true, 'hi', MODEL));
  answers.push(await streamed.text(), [...streamed.headers].join('\n'));
  assert.ok(seen.every((credential) => credential === OWN));
});

test('its calls are charged nothing without a fee, and their cost is reported apart', async () => {
  await own({ use: 'only' });
  const before = await control('GET', '/keys');
  assert.equal((await call()).status, 200);
  const last = gateway.records.at(-1);
  assert.ok(last !== undefined);
  assert.equal(last.charge, 0n);
  assert.ok((last.cost ?? 0n) > 0n);
  assert.equal(last.fault, 0n);
  assert.equal(last.ownCredential, true);
  const response = await fetch(`${gateway.url}/api/v1/key`, { headers: { authorization: `Bearer ${gateway.key}` } });
  const { data } = (await response.json()) as Json;
  const [listed] = await control('GET', '/keys');
  assert.equal(data.usage, before[0].usage);
  for (const window of ['', '_daily', '_weekly', '_monthly']) {
    assert.ok(data[`byok_usage${window}`] > 0);
    assert.equal(data[`byok_usage${window}`], listed[`byok_usage${window}`]);
  }
});

test('a model without a price is served by it where there is no fee, at an unknown cost, and never by the operator’s', async () => {
  const asked = async () => {
    const { status, json } = await call(UNPRICED);
    return [status, status === 200 ? null : errorCode(json)];
  };
  assert.deepEqual(await asked(), [404, 'model_not_priced']);
  await own({ fallback: true });
  assert.deepEqual(await asked(), [200, null]);
  const last = gateway.records.at(-1);
  assert.deepEqual([last?.ownCredential, last?.cost, last?.charge, last?.fault], [true, null, 0n, 0n]);
  assert.ok((last?.usage.outputTokens ?? 0) > 0);
  const search = { input: 'hi', messages: undefined, max_tokens: undefined, tools: [{ type: 'web_search' }] };
  await call(UNPRICED, '/api/v1/responses', search);
  assert.match(String(members.exchanges.at(-1)?.request.body), /web_search/, 'nobody here pays for it');
  const { json } = await call(UNPRICED, '/api/v1/route');
  assert.deepEqual(
    json.data.candidates.map((each: Json) => [each.own_credential, each.max_cost]),
    [[true, null]],
  );
  assert.deepEqual(
    json.data.left_out.map((each: Json) => [each.own_credential, each.reason]),
    [[false, 'unpriced']],
  );
  assert.ok(!seen.includes(OPERATORS));
  members.play(record(refuse(500, { error: { message: 'no' } })));
  assert.equal((await call(UNPRICED)).status, 502);
  assert.ok(!seen.includes(OPERATORS));
});

test('with a fee, a model without a price cannot be charged, and is refused', async () => {
  const { id: account } = await control('POST', '/accounts', { name: 'With a fee' });
  await control('PATCH', `/accounts/${account}`, { rates: { own_credential_fee: 5 } });
  const within = (path: string) => `${path}?account=${account}`;
  const reply = await ask(socket, { method: 'POST', path: `/control/api${within('/keys')}`, body: {} });
  await control('POST', within('/byok'), { provider: 'openai', key: OWN, base_url: members.origin });
  const response = await gateway.post('/api/v1/chat/completions', chatBody(false, 'hi', UNPRICED), {
    authorization: `Bearer ${reply.json.key}`,
  });
  assert.deepEqual([response.status, errorCode(await response.json())], [404, 'model_not_priced']);
  assert.deepEqual(seen, []);
});

test('an account without money is served by its own credential, and by nothing else', async () => {
  const { id: account } = await control('POST', '/accounts', { name: 'Penniless' });
  const within = (path: string) => `${path}?account=${account}`;
  const reply = await ask(socket, { method: 'POST', path: `/control/api${within('/keys')}`, body: {} });
  const authorization = `Bearer ${reply.json.key}`;
  const poor = async (path: string) =>
    (await gateway.post(path, chatBody(false, 'hi', MODEL), { authorization })).status;
  assert.equal(await poor('/api/v1/chat/completions'), 402);
  const strict = { provider: 'openai', key: OWN, base_url: members.origin };
  const { id } = await control('POST', within('/byok'), strict);
  assert.equal(await poor('/api/v1/chat/completions'), 200);
  await control('PATCH', within(`/byok/${id}`), { fallback: true });
  // The operator's candidate would have to be paid for.
  await poor('/api/v1/chat/completions');
  assert.ok(seen.every((credential) => credential === OWN));
});

test('a server of their own, whose models nobody has described, is refused with what to do', async () => {
  for (const provider of ['custom', 'ollama']) {
    const body = { provider, key: OWN, base_url: members.origin };
    const { status, json } = await ask(socket, { method: 'POST', path: '/control/api/byok', body });
    assert.deepEqual([status, json.error.param], [400, 'provider']);
    assert.match(json.error.message, /if the operator adds it.*base_url.*openai/);
  }
});

test('an operator adds a provider for own credentials only, sees so, and gives it a credential later', async () => {
  const model = 'groq/openai/gpt-oss-120b';
  const settings = { name: 'groq', kind: 'groq', origin: members.origin, own_credentials_only: true };
  const send = (method: string, path: string, body?: object) =>
    ask(socket, { method, path: `/control/api${path}`, body });
  const both = await send('POST', '/providers', { ...settings, credential: OPERATORS });
  assert.deepEqual([both.status, both.json.error.param], [400, 'own_credentials_only']);
  const added = await control('POST', '/providers', settings);
  assert.deepEqual([added.own_credentials_only, added.has_credential, added.problem], [true, false, null]);
  members.play(record(refuse(401, { error: { message: 'no key' } })));
  for (const path of ['/provider-tests', '/providers/groq/test']) {
    const { ok, problem } = await control('POST', path, path === '/provider-tests' ? withoutName(settings) : undefined);
    assert.deepEqual([ok, problem], [true, null], 'it answers, and nothing else can be shown without a credential');
  }
  members.play(record(answerWell));
  const { catalog } = gateway.app.gateway;
  const served = catalog.all().find(({ targets }) => targets.every(({ provider }) => provider === 'groq'))?.id ?? model;
  seen = [];
  assert.deepEqual([(await call(served)).status, seen], [403, []]);
  const { id } = await own({ provider: 'groq' });
  assert.deepEqual([(await call(served)).status, seen], [200, [OWN]]);
  await control('DELETE', `/byok/${id}`);
  const changed = await control('PATCH', '/providers/groq', { own_credentials_only: false, credential: OPERATORS });
  assert.deepEqual([changed.own_credentials_only, changed.has_credential], [false, true]);
  assert.deepEqual([(await call(served)).status, seen], [200, [OWN, OPERATORS]]);
  const { data: audited } = (await send('GET', '/audit?everywhere=true')).json;
  const update = audited.find(({ action }: Json) => action === 'provider.update');
  assert.equal(update.before.own_credentials_only, true);
  await control('DELETE', '/providers/groq');
});

test('no secret is in an answer, a log line, a record, a metric or a file', async () => {
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  const shown = [...answers, ...gateway.log, inspect(gateway.records, { depth: 9 }), metrics].join('\n');
  const files = readdirSync(gateway.dataFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
  for (const secret of [OPERATORS, OWN, NEWER]) {
    assert.ok(!shown.includes(secret), secret);
    assert.ok(
      files.every((file) => !file.includes(secret)),
      secret,
    );
  }
});

test('a provider without a credential of the operator is listed as such, and is not tested', async () => {
  const cli = commandRunner({ control: gateway.app.control, now: Date.now });
  assert.match((await cli.run('providers list')).out, /^mistral .* only with own credentials$/m);
  operators.play(record(refuse(404, {})));
  assert.doesNotMatch((await cli.run('providers test')).out, /mistral/);
  const [openai, mistral] = await control('GET', '/providers');
  assert.deepEqual([openai.own_credentials_only, mistral.own_credentials_only], [false, true]);
});

function withoutName({ kind, origin, own_credentials_only }: Json): object {
  return { kind, origin, own_credentials_only };
}
