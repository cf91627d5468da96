/**
 * Goal: an operator sees what is wrong with a provider, and no secret is shown. Method: a
 * configured provider, and a sender that answers or fails as each case says.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../core/clock.ts';
import { Secret } from '../core/secret.ts';
import { configureProvider } from '../providers/configure.ts';
import { custom } from '../providers/vendors/servers/custom.ts';
import { AnswerTooLarge } from '../upstream/body-collector.ts';
import { type ProbeAnswer, type ProbeRequest, testConnection } from './test-connection.ts';

const CANARY = 'sk-canary-0123456789';
const provider = configureProvider(custom, {
  name: 'mine',
  origin: 'http://10.0.0.5:8000',
  credential: new Secret(CANARY),
});

async function probe(answer: ProbeAnswer | Error, takesMs = 0) {
  const clock = new ManualClock();
  const sent: ProbeRequest[] = [];
  const echoes: string[] = [];
  const report = await testConnection(provider, {
    clock,
    timeoutMs: 5000,
    onEcho: (name) => echoes.push(name),
    async send(request) {
      sent.push(request);
      clock.advance(takesMs);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { report, sent, echoes };
}

const json = (value: unknown, status = 200): ProbeAnswer => ({
  status,
  headers: {},
  body: Buffer.from(JSON.stringify(value)),
});

test('a list of models, requested with the credential, proves that the connection works', async () => {
  const { report, sent } = await probe(json({ data: [{ id: 'a' }, { id: 'b' }] }), 12);
  assert.deepEqual(report, {
    provider: 'mine',
    origin: 'http://10.0.0.5:8000',
    ok: true,
    status: 200,
    models: 2,
    modelNames: ['a', 'b'],
    durationMs: 12,
    problem: null,
    credentials: [{ hint: '6789', ok: true, status: 200, durationMs: 12, problem: null }],
  });
  assert.equal(sent[0]?.path, '/v1/models');
  assert.equal(sent[0]?.headers['authorization'], `Bearer ${CANARY}`);
});

test('the names of models are read in the lists of every vendor', async () => {
  for (const [list, names] of [
    [[{ model_id: 'eleven_v3', name: 'Eleven v3' }], ['eleven_v3']],
    [{ stt: [{ name: 'general', canonical_name: 'nova-3-general' }], tts: [{ name: 'x' }] }, ['nova-3-general']],
    [{ models: [{ name: 'publishers/google/models/gemini' }] }, ['gemini']],
    [{ modelSummaries: [{ modelId: 'm' }] }, ['m']],
  ] as const) {
    const { report } = await probe(json(list));
    assert.deepEqual([report.ok, report.modelNames], [true, names]);
  }
});

test('each failure says what to fix', async () => {
  const cases: [ProbeAnswer | Error, RegExp][] = [
    [json({ error: CANARY }, 401), /rejected the credential/],
    [json({}, 403), /rejected the credential/],
    [json({}, 404), /nothing at \/v1\/models/],
    [json({}, 302), /redirects/],
    [json({}, 429), /limiting/],
    [json({}, 500), /returned status 500/],
    [json({ ok: true }), /not a list of models/],
    [{ status: 200, headers: {}, body: Buffer.from('<html>') }, /not a list of models/],
    [Object.assign(new Error(CANARY), { code: 'ECONNREFUSED' }), /Connection refused/],
    [new Error('failed', { cause: Object.assign(new Error(''), { code: 'ENOTFOUND' }) }), /host name does not exist/],
    [new Error(CANARY), /^The provider could not be reached\.$/],
    [new AnswerTooLarge(8_388_608), /larger than 8388608 bytes, .*check the origin/],
    [Object.assign(new Error(CANARY), { code: 'HPE_INVALID_CONSTANT' }), /not HTTP; check the scheme/],
  ];
  for (const [answer, expected] of cases) {
    const { report } = await probe(answer);
    assert.equal(report.ok, false);
    assert.match(report.problem ?? '', expected);
    assert.doesNotMatch(JSON.stringify(report), /canary/);
  }
});

test('an answer that does not arrive in time is reported as such', async () => {
  const { report } = await probe(new Error('given up'), 5000);
  assert.equal(report.problem, 'The provider did not respond in time.');
  assert.equal(report.status, null);
});

test('a provider without a list of models passes with any answer', async () => {
  const loopback = configureProvider(
    { ...custom, modelsPath: null },
    { name: 'silent', origin: 'http://127.0.0.1:9', credential: null },
  );
  const report = await testConnection(loopback, {
    clock: new ManualClock(),
    timeoutMs: 5000,
    send: async () => json({}, 404),
  });
  assert.equal(report.ok, true);
  assert.equal(report.models, null);
});

test('a credential among the names is left out in any encoding, and the operator is notified', async () => {
  for (const echo of [
    CANARY,
    encodeURIComponent(CANARY).replace('-', '%2D'),
    Buffer.from(`a:${CANARY}`).toString('base64'),
  ]) {
    const { report, echoes } = await probe(json({ data: [{ id: 'a' }, { id: `x-${echo}` }] }));
    assert.deepEqual([report.models, report.modelNames, echoes], [2, ['a'], ['mine']], echo);
  }
  assert.deepEqual((await probe(json({ data: [{ id: 'a' }] }))).echoes, []);
});

test('the names of models are plain text, at most 500, and never the credential that was sent', async () => {
  const names = Array.from({ length: 600 }, (_, index) => ({ id: `m${index}` }));
  const odd = [{ id: `echo-${CANARY}` }, { id: 'right\u202eleft' }, { id: 'x'.repeat(201) }, { id: 7 }, null, 'text'];
  const { report } = await probe(json({ data: [...odd, ...names] }));
  assert.equal(report.models, 606);
  assert.deepEqual([report.modelNames.length, report.modelNames[0], report.modelNames.at(-1)], [500, 'm0', 'm499']);
  const { report: google } = await probe(json({ models: [{ name: 'models/gemini' }] }));
  assert.deepEqual(google.modelNames, ['models/gemini']);
  // Together and GitHub: the list is the whole answer.
  assert.deepEqual((await probe(json([{ id: 'acme/large' }]))).report.modelNames, ['acme/large']);
});

test('every credential is tested by itself, and the problem names those that failed', async () => {
  const keys = ['sk-first-credential-1111', 'sk-second-credential-2222', 'sk-third-credential-3333'];
  const [credential = '', ...others] = keys;
  const several = configureProvider(custom, {
    name: 'several',
    origin: 'http://10.0.0.5:8000',
    credential: new Secret(credential),
    credentials: others.map((each) => new Secret(each)),
  });
  const test = (statusOf: (key: string) => number) =>
    testConnection(several, {
      clock: new ManualClock(),
      timeoutMs: 5000,
      send: async ({ headers }) =>
        json({ data: [{ id: 'a' }] }, statusOf(String(headers['authorization']).replace('Bearer ', ''))),
    });
  const good = await test(() => 200);
  assert.deepEqual(
    [good.ok, good.problem, good.credentials.map(({ hint }) => hint)],
    [true, null, ['1111', '2222', '3333']],
  );
  const one = await test((key) => (key.endsWith('2222') ? 401 : 200));
  assert.deepEqual(
    [one.ok, one.status, one.models, one.problem],
    [false, 200, 1, 'Credential 2 (…2222) of 3 failed: The provider rejected the credential; check it.'],
  );
  assert.deepEqual(
    one.credentials.map(({ ok, status }) => [ok, status]),
    [
      [true, 200],
      [false, 401],
      [true, 200],
    ],
  );
  const two = await test((key) => (key.endsWith('1111') ? 200 : key.endsWith('2222') ? 401 : 429));
  assert.equal(two.problem, 'Credentials 2 (…2222), 3 (…3333) of 3 failed.');
  const none = await test(() => 401);
  assert.deepEqual([none.ok, none.problem], [false, 'The provider rejected the credential; check it.']);
  assert.ok(keys.every((key) => !JSON.stringify([good, one, two, none]).includes(key)));
});
