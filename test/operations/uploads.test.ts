/**
 * Goal: a form with a file passes through without being held: its provider and its caller wait for each other, it is tried elsewhere only for as long
 * as all of it can be sent again, and whoever ends it early pays nothing. Method: providers by hand that read, refuse or break off; the
 * gateway's own view of the call.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, beforeEach, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { accountId } from '../../src/core/ids.ts';
import { FormWriter, LINE_BREAK } from '../../src/wire/multipart/form-writer.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';
import { readForm, sha256Of } from '../support/read-form.ts';

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

const PATH = '/api/v1/audio/transcriptions';
const MIB = 1024 * 1024;
const LONG = randomBytes(6 * MIB);
const SHORT = randomBytes(100_000);
const PRICES = { units: { second: 0.0001 } };

let first: Answering;
let second: Answering;
let asked: string[] = [];
const servers: Server[] = [];
let gateway: OpenGateway;
let small: OpenGateway;

async function serverOf(name: string, answering: () => Answering): Promise<string> {
  const server = createServer((request, response) => {
    asked.push(name);
    // A request that the gateway gives up is what these tests are about.
    request.on('error', () => undefined);
    answering()(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

before(async () => {
  const provider = (name: string, origin: string) => ({
    ...{ name, kind: 'custom', origin, credential: 'canary-of-uploads' },
    models: [
      ...['listen', ...(name === 'first' ? ['alone'] : [])].map((model) => ({
        ...{ id: `maker/${model}`, upstream: model, prices: PRICES, outputModalities: ['transcription'] },
      })),
      {
        ...{
          id: 'maker/draw',
          upstream: 'draw',
          prices: { units: { image: 0.04 } },
          outputModalities: ['image'],
          inputModalities: ['text', 'image'],
        },
      },
    ],
  });
  const origins = [await serverOf('first', () => first), await serverOf('second', () => second)] as const;
  const providers = [
    {
      ...provider('closed', 'http://127.0.0.1:9'),
      models: [{ ...provider('x', '').models[0], id: 'maker/elsewhere' }],
    },
    provider('first', origins[0]),
    provider('second', origins[1]),
  ];
  providers[2]?.models.push({ ...provider('x', '').models[0], id: 'maker/elsewhere' } as never);
  gateway = await openGateway({ providers });
  small = await openGateway({ providers, limits: { memoryBytes: 8 * MIB, uploadBytesMax: 7 * MIB } });
});
after(async () => {
  await gateway.close();
  await small.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  asked = [];
  first = second = transcribe;
});

const transcribe: Answering = async (request, response) => {
  const bytes = await buffer(request).catch(() => null);
  if (bytes === null) return;
  const body = await readForm(bytes, String(request.headers['content-type']));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ text: JSON.stringify(body), usage: { type: 'duration', seconds: 9 } }));
};
const refuse: Answering = (_request, response) => {
  response.writeHead(503, { 'content-type': 'application/json' }).end('{"error":{"message":"busy"}}');
};

interface Form {
  readonly model?: string;
  readonly file?: Buffer;
  readonly isFileFirst?: boolean;
}

function formOf({ model = 'maker/listen', file = LONG, isFileFirst = false }: Form): { body: Buffer; type: string } {
  const writer = new FormWriter();
  const field = writer.field({ name: 'model', value: Buffer.from(model) });
  const part = [writer.file({ name: 'file', fileName: 'a.mp3', contentType: null }), file, LINE_BREAK];
  const body = Buffer.concat([...(isFileFirst ? [...part, field] : [field, ...part]), writer.end()]);
  return { body, type: writer.contentType };
}

async function send(form: Form, to: OpenGateway = gateway): Promise<{ status: number; text: string }> {
  const { body, type } = formOf(form);
  const response = await fetch(`${to.url}${PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${to.key}`, 'content-type': type },
    body: new Uint8Array(body),
  });
  return { status: response.status, text: await response.text() };
}

function fileOf(text: string): { bytes: number; sha256: string } {
  return JSON.parse((JSON.parse(text) as { text: string }).text).file;
}

test('without a connection, another provider gets the whole file', async () => {
  const { status, text } = await send({ model: 'maker/elsewhere' });
  assert.equal(status, 200, text);
  assert.equal(fileOf(text).sha256, sha256Of(LONG));
  assert.deepEqual(asked, ['second']);
});

test('what is held whole is sent again after a refusal', async () => {
  for (const form of [{ file: SHORT }, { isFileFirst: true }]) {
    asked = [];
    const ended = gateway.nextRecord();
    const refusing: Answering = async (request, response) => {
      await buffer(request);
      refuse(request, response);
    };
    [first, second] = [refusing, refusing];
    const answers = { first, second };
    // Whichever is asked first refuses; the other one answers.
    first = (request, response) => (asked.length === 1 ? answers.first : transcribe)(request, response);
    second = (request, response) => (asked.length === 1 ? answers.second : transcribe)(request, response);
    const { status, text } = await send(form);
    assert.equal(status, 200, text);
    assert.equal(fileOf(text).sha256, sha256Of(form.file ?? LONG));
    assert.equal(asked.length, 2);
    assert.equal((await ended).charge, 9n * 100_000n);
  }
});

test('several files are sent again after a refusal, each whole', async () => {
  const draw: Answering = async (request, response) => {
    const bytes = await buffer(request);
    if (asked.length === 1) return refuse(request, response);
    const body = await readForm(bytes, String(request.headers['content-type']));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ created: 1, data: [{ b64_json: 'x' }], text: JSON.stringify(body) }));
  };
  first = second = draw;
  // Of a gateway of its own, because retries are few.
  for (const files of [[SHORT], [SHORT, SHORT.subarray(1), LONG.subarray(0, 1.5 * MIB)]]) {
    asked = [];
    const writer = new FormWriter();
    const fields = ['maker/draw', 'a road'].map((value, at) =>
      writer.field({ name: at === 0 ? 'model' : 'prompt', value: Buffer.from(value) }),
    );
    const parts = files.flatMap((file) => [
      ...[writer.file({ name: 'image[]', fileName: 'a.png', contentType: 'image/png' }), file, LINE_BREAK],
    ]);
    const ended = small.nextRecord();
    const response = await fetch(`${small.url}/api/v1/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${small.key}`, 'content-type': writer.contentType },
      body: new Uint8Array(Buffer.concat([...fields, ...parts, writer.end()])),
    });
    const answer = (await response.json()) as { text: string };
    assert.equal(response.status, 200, JSON.stringify(answer));
    const sent = JSON.parse(answer.text) as { 'image[]': { sha256: string }[] };
    assert.deepEqual(
      sent['image[]'].map(({ sha256 }) => sha256),
      files.map(sha256Of),
    );
    assert.equal(asked.length, 2);
    assert.equal((await ended).charge, 40_000_000n);
  }
});

test('after bytes were let go there is no other attempt, and nothing is charged', async () => {
  const breaking: Answering = (request) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > 5 * MIB) request.socket.destroy();
    });
  };
  first = second = breaking;
  const ended = gateway.nextRecord();
  const { status } = await send({});
  assert.equal(status, 502);
  assert.equal(asked.length, 1);
  const { charge, fault, ending } = await ended;
  assert.deepEqual([charge, fault, ending], [0n, 0n, 'upstream_failed']);
});

test('a refusal before all of it has arrived reaches the caller, and a success then is none', async () => {
  first = second = (_request, response) => {
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no such format"}}');
  };
  const refused = await send({ model: 'maker/alone' });
  assert.deepEqual([refused.status, /no such format/.test(refused.text)], [400, true]);
  first = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"too early"}');
  };
  const ended = gateway.nextRecord();
  assert.equal((await send({ model: 'maker/alone' })).status, 502);
  assert.equal((await ended).charge, 0n);
});

test('a provider that does not read makes the caller wait, and gets all of it in the end', async () => {
  const file = randomBytes(60 * MIB);
  const begun = Promise.withResolvers<IncomingMessage>();
  const released = Promise.withResolvers<void>();
  first = async (request, response) => {
    begun.resolve(request);
    await released.promise;
    transcribe(request, response);
  };
  const entered = gateway.nextCall();
  const answer = send({ model: 'maker/alone', file });
  const call = await entered;
  await begun.promise;
  // Until nothing more arrives.
  for (let seen = -1, still = 0; still < 500; still += 1) {
    await nextTurn();
    const arrived = call.upload?.fileBytes ?? 0;
    if (arrived !== seen) still = 0;
    seen = arrived;
  }
  assert.ok((call.upload?.fileBytes ?? 0) < 40 * MIB, `${call.upload?.fileBytes} bytes were read`);
  released.resolve();
  const { status, text } = await answer;
  assert.equal(status, 200, text);
  assert.equal(fileOf(text).sha256, sha256Of(file));
});

test('a caller that leaves before the end pays nothing, and the provider’s connection is closed', async () => {
  const begun = Promise.withResolvers<IncomingMessage>();
  first = (request) => begun.resolve(request.resume());
  const { body, type } = formOf({ model: 'maker/alone' });
  const ended = gateway.nextRecord();
  const asking = httpRequest(`${gateway.url}${PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': type, 'content-length': body.length },
  }).on('error', () => undefined);
  asking.write(body.subarray(0, 4 * MIB));
  const request = await begun.promise;
  asking.destroy();
  const { charge, ending } = await ended;
  assert.deepEqual([charge, ending], [0n, 'caller_left']);
  const { socket } = request;
  if (!socket.destroyed) await new Promise((closed) => socket.once('close', closed));
  assert.equal(request.complete, false);
});

test('a form that breaks off or is malformed after its first part is the caller’s error', async () => {
  first = (request) => void request.resume();
  const { body, type } = formOf({ model: 'maker/alone' });
  for (const end of ['', 'x']) {
    const ended = gateway.nextRecord();
    const response = await fetch(`${gateway.url}${PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': type },
      body: new Uint8Array(end === '' ? body.subarray(0, -8) : Buffer.concat([body, Buffer.from(end)])),
    });
    assert.equal(response.status, 400);
    assert.match(await response.text(), /not valid multipart/);
    assert.equal((await ended).charge, 0n);
  }
});

test('a file before its model is held within the caller’s share of memory, and the error says what helps', async () => {
  const { status, text } = await send({ isFileFirst: true }, small);
  assert.equal(status, 413);
  assert.match(text, /\\"model\\" before the field \\"file\\"/);
  assert.equal((await send({}, small)).status, 200);
  assert.equal((await send({ isFileFirst: true, file: SHORT }, small)).status, 200);
});

test('a form above the limit is refused, with its length stated or not', async () => {
  const { body, type } = formOf({ file: randomBytes(8 * MIB) });
  for (const isStated of [true, false]) {
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(body));
        controller.close();
      },
    });
    const response = await fetch(`${small.url}${PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${small.key}`, 'content-type': type },
      body: isStated ? new Uint8Array(body) : stream,
      duplex: 'half',
    } as RequestInit);
    assert.equal(response.status, 413, String(isStated));
    assert.match(await response.text(), /limits\.uploadBytesMax/);
  }
});

test('stored bodies have the fields, and of the file its name, length and digest', async () => {
  const { scopes } = gateway.app.gateway;
  const account = scopes.account(accountId(1));
  scopes.putAccount({ ...account, capture: { on: true, retentionDays: 7, redact: false }, seq: account.seq + 1 });
  for (const file of [SHORT, LONG]) {
    const ended = gateway.nextRecord();
    await send({ model: 'maker/alone', file });
    const kept = await gateway.app.captures.bodiesOf(accountId(1), (await ended).callId);
    assert.deepEqual(JSON.parse(kept?.request?.text ?? ''), {
      model: 'maker/alone',
      file: { filename: 'a.mp3', bytes: file.length, sha256: sha256Of(file) },
    });
  }
});
