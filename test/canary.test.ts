/**
 * Goal: no secret appears where it does not belong. Method: the real program serves calls of every kind
 * with marked secrets in the caller's key, the provider's credential, prompts and answers; then
 * everything it printed, returned, measured and stored is searched for each of them.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { newSecret } from '../src/accounts/secret/key-secret.ts';
import { openApp } from '../src/app/app.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { goodAnswers } from './faults/fault.ts';
import { control, createKey } from './support/control.ts';
import { DIALECTS, type DialectUnderTest, OPEN_MODEL, PATHS, rawCall } from './support/open-gateway.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from './support/scripted-upstream.ts';
import { newInstallation, type ServeProcess, startServer } from './support/serve-process.ts';
import { StreamReader } from './support/stream-reader.ts';
import {
  answerWell,
  htmlInstead,
  isMessages,
  refuse,
  resetAtOnce,
  stream,
  streamThen,
} from './support/upstream-scripts.ts';

/** Marked so that no redaction of key-like text would hide it by luck. */
const CREDENTIAL = 'canary.of.a.provider';
const PROMPT = 'the canary in the prompt sings';
const ANSWER = 'the canary in the answer hums';
const UNKNOWN_KEY = newSecret().reveal();
const MALFORMED_KEY = 'sk-tp-canary-in-a-key-that-is-none';

let upstream: ScriptedUpstream;
let server: ServeProcess;
let secondKey: string;
/** Headers and bodies of every error answer, and headers of all others. */
const returned: string[] = [];

before(async () => {
  upstream = await startScriptedUpstream(answerWell);
  const installation = await newInstallation({
    demo: false,
    log: { level: 'trace' },
    providers: [
      {
        name: 'scripted',
        kind: 'custom',
        origin: upstream.origin,
        credential: CREDENTIAL,
        dialects: DIALECTS,
        models: [{ id: OPEN_MODEL, upstream: 'scripted-1', prices: { input: 1, output: 5 }, outputCap: 128_000 }],
      },
      ...DIALECTS.map((dialect) => ({
        name: `only-${dialect}`,
        kind: 'custom',
        origin: upstream.origin,
        credential: CREDENTIAL,
        dialects: [dialect],
        models: [
          { id: translatedTo(dialect), upstream: 'scripted-1', prices: { input: 1, output: 5 }, outputCap: 128_000 },
        ],
      })),
    ],
  });
  // The run that creates the key shows it once, and is not the one that is searched.
  const { folder: cwd, key } = installation;
  const first = await openApp(loadConfig({ flags: {}, environment: { BOOTSTRAP_KEY: key }, cwd }).config);
  await first.begin();
  await first.close();
  server = await startServer(installation);
  secondKey = await createKey(server.dataFolder, 'a second one');
});
after(async () => {
  await server?.remove();
  await upstream.close();
});

/** A model that is served in one format only. */
function translatedTo(dialect: DialectUnderTest): string {
  return `canary/${dialect}`;
}

interface Sent {
  readonly model?: string;
  readonly key?: string;
  readonly streamed?: boolean;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function call(dialect: DialectUnderTest, sent: Sent = {}): Promise<Response> {
  const { key = server.key, streamed = false, headers = {} } = sent;
  const body =
    sent.body ??
    JSON.stringify({
      model: sent.model ?? OPEN_MODEL,
      max_tokens: 9,
      stream: streamed,
      messages: [{ role: 'user', content: PROMPT }],
    });
  const response = await fetch(server.url + PATHS[dialect], {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  returned.push([...response.headers].join('\n'));
  // An answer belongs to the caller, including what it quotes of its own prompt; an error in it does not.
  returned.push(response.ok ? text.replaceAll(ANSWER, '') : text);
  return response;
}

const singing =
  (dialect: DialectUnderTest): Script =>
  (exchange) => {
    const { frames, body } = goodAnswers[dialect];
    const sung = (text: string) => text.replace(/one (two three four )?/, ANSWER);
    return exchange.json['stream'] === true ? stream(frames.map(sung))(exchange) : exchange.whole(200, sung(body));
  };

for (const dialect of DIALECTS) {
  test(`calls of every kind: ${dialect}`, { timeout: 30_000 }, async () => {
    const { frames, errorBody, errorFrame } = goodAnswers[dialect];
    upstream.play(singing(dialect));
    for (const streamed of [false, true]) {
      assert.equal((await call(dialect, { streamed })).status, 200);
      assert.equal((await call(dialect, { streamed, key: secondKey })).status, 200);
    }

    for (const key of [UNKNOWN_KEY, MALFORMED_KEY, `${server.key}x`, server.key.slice(0, -1)])
      assert.equal((await call(dialect, { key })).status, 401);
    assert.equal((await call(dialect, { headers: { 'x-api-key': secondKey } })).status, 400);
    for (const body of [
      `{"messages":[{"role":"user","content":"${PROMPT}`,
      `{"model":"${OPEN_MODEL}","model":"b","messages":[{"role":"user","content":"${PROMPT}"}]}`,
      `{"model":"no/such-model","max_tokens":1,"messages":[{"role":"user","content":"${PROMPT}"}]}`,
      `{"model":"${OPEN_MODEL}","max_tokens":-1,"messages":[{"role":"user","content":"${PROMPT}"}]}`,
      `{"model":"${OPEN_MODEL}","max_tokens":9,"api_key":"${PROMPT}","messages":[]}`,
    ])
      assert.ok((await call(dialect, { body })).status >= 400);

    for (const status of [400, 401, 402, 403, 404, 409, 413, 422, 429, 500, 503, 529]) {
      for (const type of ['invalid_request_error', 'authentication_error']) {
        upstream.play(refuse(status, JSON.parse(errorBody(type, `Incorrect API key provided: ${CREDENTIAL}`))));
        assert.ok((await call(dialect)).status >= 400);
      }
      upstream.play((exchange) =>
        exchange.whole(status, echoOf(exchange.request.rawHeaders), { 'content-type': 'text/plain' }),
      );
      assert.ok((await call(dialect, { streamed: true })).status >= 400);
    }
    for (const script of [
      resetAtOnce,
      htmlInstead,
      streamThen(frames.slice(0, 3), (exchange) => exchange.reset()),
      stream([...frames.slice(0, 3), errorFrame(`no such key: ${CREDENTIAL}`)]),
      refuse(302, {}, { location: `http://127.0.0.1:9/?key=${encodeURIComponent(CREDENTIAL)}` }),
    ] satisfies Script[]) {
      upstream.play(script);
      for (const streamed of [false, true]) await call(dialect, { streamed });
    }

    upstream.play(streamThen(frames.slice(0, 3), () => undefined));
    const arrived = upstream.nextExchange();
    const reader = await StreamReader.open(server.url, rawCall(server, dialect, true, PROMPT));
    await reader.sees('data: ');
    reader.leave();
    await (await arrived).closed;
  });
}

/** As a provider may write the credential that it repeats. */
const ECHOES = [
  CREDENTIAL,
  CREDENTIAL.replaceAll('.', '\\u002e'),
  CREDENTIAL.replaceAll('.', '%2E'),
  Buffer.from(`user:${CREDENTIAL}`).toString('base64'),
];

for (const spoken of DIALECTS) {
  test(`a provider that repeats its credential wherever it can write text: ${spoken}`, {
    timeout: 30_000,
  }, async () => {
    const { frames, body, errorBody, errorFrame } = goodAnswers[spoken];
    for (const echo of ECHOES) {
      const repeated = (text: string) => text.replaceAll('ECHO', echo);
      const headers = { 'x-request-id': echo, 'request-id': echo, 'retry-after': echo, 'x-should-retry': echo };
      const scripts: Script[] = [
        (exchange) => exchange.whole(200, body, headers),
        (exchange) => exchange.whole(400, repeated(errorBody('invalid_request_error', 'no: ECHO')), headers),
        (exchange) => exchange.whole(500, repeated(errorBody('api_error', 'no: ECHO')), headers),
        stream([...frames.slice(0, 3), repeated(errorFrame('no: ECHO'))]),
        stream([repeated(errorFrame('no: ECHO'))]),
        stream([repeated(': ECHO\n\nevent: notice\ndata: {"type":"notice","text":"ECHO"}\n\n'), ...frames]),
      ];
      for (const script of scripts) {
        upstream.play(script);
        for (const caller of DIALECTS)
          for (const streamed of [false, true]) await call(caller, { streamed, model: translatedTo(spoken) });
        const counted = await fetch(`${server.url}/v1/messages/count_tokens`, {
          method: 'POST',
          headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: translatedTo(spoken), messages: [{ role: 'user', content: PROMPT }] }),
        });
        returned.push([...counted.headers].join('\n'), await counted.text());
      }
      upstream.play((exchange) => exchange.whole(200, repeated('{"data":[{"id":"ECHO"},{"id":"x-ECHO"}]}'), headers));
      returned.push(
        JSON.stringify(await control(server.dataFolder, 'POST', `/control/api/providers/only-${spoken}/test`)),
      );
    }
  });
}

test('a file is uploaded and read', async () => {
  const form = new FormData();
  form.append('purpose', 'batch');
  form.append('file', new File([`${PROMPT}\n`.repeat(20_000)], 'lines.jsonl'));
  const headers = { authorization: `Bearer ${server.key}` };
  const upload = await fetch(`${server.url}/api/v1/files`, { method: 'POST', headers, body: form });
  assert.equal(upload.status, 200);
  const { id } = (await upload.json()) as { id: string };
  const content = await fetch(`${server.url}/api/v1/files/${id}/content`, { headers });
  returned.push([...content.headers].join('\n'));
  assert.ok((await content.text()).startsWith(PROMPT));
});

test('the credential was sent to the provider, the caller’s keys were not', () => {
  const heads = upstream.exchanges.map(({ request }) => echoOf(request.rawHeaders));
  assert.ok(heads.length > 100);
  for (const head of heads) {
    assert.ok(head.includes(CREDENTIAL));
    for (const key of [server.key, secondKey, UNKNOWN_KEY]) assert.equal(head.includes(key), false);
  }
  assert.ok(
    upstream.exchanges.some(({ request }) => request.body.includes(PROMPT) && isMessages({ request } as never)),
  );
});

test('nothing the program returned, measured, printed or stored contains a secret', { timeout: 30_000 }, async () => {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const documents = await Promise.all(
    ['/health', '/health/ready', '/openapi.json', '/'].map(async (path) => (await fetch(server.url + path)).text()),
  );
  const exited = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  await exited;

  const printed = server.printed();
  assert.ok(printed.split('\n').length > 100, 'there is something to search');
  const places: [string, Buffer][] = [
    ['an error or a head', Buffer.from(returned.join('\n'))],
    ['/metrics', Buffer.from(metrics)],
    ['a document', Buffer.from(documents.join('\n'))],
    ['the output', Buffer.from(printed)],
    ...filesOf(server.dataFolder).map((path): [string, Buffer] => [path, readFileSync(path)]),
  ];
  assert.ok(places.some(([place]) => place.endsWith('turnpike.db')));
  assert.ok(places.some(([place]) => /records\/\d{4}-\d\d-\d\d\.db$/.test(place)));
  const found: string[] = [];
  for (const [place, bytes] of places) {
    for (const [name, secret] of Object.entries(secrets())) {
      for (const form of formsOf(secret)) if (bytes.includes(form)) found.push(`${name} in ${place}`);
    }
  }
  assert.deepEqual(found, []);
});

test('the search finds a secret that is present', () => {
  for (const secret of Object.values(secrets())) {
    const stored = Buffer.from(`…${Buffer.from(secret).toString('base64')}…`);
    assert.ok(formsOf(secret).some((form) => stored.includes(form)));
  }
});

function secrets(): Readonly<Record<string, string>> {
  return {
    'the caller’s key': server.key,
    'the second key': secondKey,
    'a key that is unknown': UNKNOWN_KEY,
    'a key that is malformed': MALFORMED_KEY,
    'the credential': CREDENTIAL,
    'the prompt': PROMPT,
    'the answer': ANSWER,
  };
}

/** The secret itself, and its forms in an address, in base64 (also in a pair), in hexadecimal, and escaped. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // A value that is not at a multiple of three bytes looks different at its ends, so these are left out.
  return [
    ...[secret, encodeURIComponent(secret), bytes.toString('hex'), bytes.toString('base64').slice(0, -4)],
    ...[secret.replaceAll('.', '\\u002e'), secret.replaceAll('.', '%2E')],
    Buffer.from(`user:${secret}`).toString('base64').slice(8, -4),
  ];
}

function echoOf(rawHeaders: readonly (readonly [string, string])[]): string {
  return rawHeaders.map(([name, value]) => `${name}: ${value}`).join('\n');
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
