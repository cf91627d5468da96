/**
 * Goal: an upload is stored as it arrives, within its bounds, and of one that is not complete nothing stays. Method: requests byte by byte over
 * sockets, forms by hand; the rows and chunks in the data folder of a gateway in process.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, afterEach, before, test } from 'node:test';
import { FormWriter, LINE_BREAK } from '../../src/wire/multipart/form-writer.ts';
import { control, createKey, revokeKey } from '../support/control.ts';
import { errorCode, type OpenGateway, openGateway } from '../support/open-gateway.ts';
import type { RawConnection } from '../support/raw-connection.ts';
import { statusOf } from '../support/raw-connection.ts';
import { until } from '../support/turns.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
const FILE_MAX = 3 * MIB;
const ACCOUNT_MAX = 8 * MIB;
const PATH = '/api/v1/files';

let gateway: OpenGateway;
before(async () => {
  gateway = await openGateway({ limits: { fileBytesMax: FILE_MAX, accountFilesBytesMax: ACCOUNT_MAX } });
});
after(() => gateway.close());
afterEach(async () => {
  const { data } = (await (await ask('GET', '')).json()) as { data: readonly { id: string }[] };
  for (const { id } of data) await ask('DELETE', `/${id}`);
  assert.deepEqual(stored(), { rows: 0, chunks: 0 }, 'nothing is left');
});

interface Stored {
  readonly rows: number;
  readonly chunks: number;
}

/** What the data folder has of files, complete or not. */
function stored(): Stored {
  const count = (file: string, table: string) => {
    if (!existsSync(join(gateway.dataFolder, file))) return 0;
    const database = new DatabaseSync(join(gateway.dataFolder, file), { readOnly: true, timeout: 5_000 });
    const row = database.prepare(`SELECT count(*) AS count FROM ${table}`).get() as { count: number };
    database.close();
    return row.count;
  };
  return { rows: count('turnpike.db', 'files'), chunks: count('files.db', 'chunks') };
}

function ask(method: string, path: string, key = gateway.key): Promise<Response> {
  return fetch(gateway.url + PATH + path, { method, headers: { authorization: `Bearer ${key}` } });
}

interface Form {
  readonly file?: Buffer | null;
  readonly fileName?: string;
  readonly fields?: readonly (readonly [name: string, value: string])[];
  readonly isFileFirst?: boolean;
}

function formOf({
  file = randomBytes(1_000),
  fileName = 'a.jsonl',
  fields = [['purpose', 'batch']],
  isFileFirst,
}: Form) {
  const writer = new FormWriter();
  const before = fields.map(([name, value]) => writer.field({ name, value: Buffer.from(value) }));
  const part = file === null ? [] : [writer.file({ name: 'file', fileName, contentType: null }), file, LINE_BREAK];
  const body = Buffer.concat([...(isFileFirst === true ? [...part, ...before] : [...before, ...part]), writer.end()]);
  return { body, type: writer.contentType };
}

interface Sent {
  readonly status: number;
  readonly json: { readonly id: string; readonly bytes: number; readonly error?: { readonly message: string } };
  readonly headers: Headers;
}

async function send(
  form: Form,
  { key = gateway.key, isChunked = false, headers = {} }: { key?: string; isChunked?: boolean; headers?: object } = {},
): Promise<Sent> {
  const { body, type } = formOf(form);
  const bytes = new Uint8Array(body);
  const sent = isChunked ? { body: new Blob([bytes]).stream(), duplex: 'half' as const } : { body: bytes };
  const response = await fetch(gateway.url + PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': type, ...headers },
    ...sent,
  });
  return { status: response.status, json: (await response.json()) as Sent['json'], headers: response.headers };
}

async function contentOf(id: string): Promise<Buffer> {
  return Buffer.from(await (await ask('GET', `/${id}/content`)).arrayBuffer());
}

function head(type: string, length: number, key = gateway.key): string {
  return (
    `POST ${PATH} HTTP/1.1\r\nHost: ${new URL(gateway.url).host}\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`
  );
}

test('a form that is cut anywhere is read the same, with the purpose before or after the file', async () => {
  const file = Buffer.from('{"custom_id":"1"}\r\n--not a boundary\r\n-');
  for (const isFileFirst of [true, false]) {
    const { body, type } = formOf({ file, isFileFirst });
    const connection = await gateway.connect();
    await connection.write(head(type, body.length));
    for (const byte of body) await connection.write(Buffer.of(byte));
    const answer = await connection.answer();
    assert.equal(statusOf(answer), 200);
    const { id, bytes } = JSON.parse(answer?.body.toString() ?? '') as { id: string; bytes: number };
    assert.equal(bytes, file.length);
    assert.deepEqual(await contentOf(id), file);
    connection.close();
  }
});

test('a form whose length is not declared is taken, too', async () => {
  const file = randomBytes(700_000);
  const { status, json } = await send({ file }, { isChunked: true });
  assert.equal(status, 200, JSON.stringify(json));
  assert.deepEqual(await contentOf(json.id), file);
});

for (const [what, form, code, param] of [
  ['without a purpose', { fields: [] }, 'missing_field', 'purpose'],
  ['without a file', { file: null }, 'missing_field', 'file'],
  ['with an empty file', { file: Buffer.alloc(0) }, 'invalid_value', 'file'],
  ['with a file whose name is too long', { fileName: 'x'.repeat(256) }, 'invalid_value', 'file'],
  [
    'with its purpose twice',
    {
      fields: [
        ['purpose', 'batch'],
        ['purpose', 'batch'],
      ],
    },
    'duplicate_key',
    'purpose',
  ],
  [
    'with another purpose after its file',
    { fields: [['purpose', 'evals']], isFileFirst: true },
    'unsupported_value',
    'purpose',
  ],
  [
    'that says until when and not from when',
    {
      fields: [
        ['purpose', 'batch'],
        ['expires_after[seconds]', '4000'],
      ],
    },
    'missing_field',
    'expires_after[anchor]',
  ],
] as const satisfies readonly (readonly [string, Form, string, string])[])
  test(`a form ${what} is refused, and nothing of it stays`, async () => {
    for (const isChunked of [false, true]) {
      const { status, json } = await send({ file: randomBytes(600_000), ...form } as Form, { isChunked });
      assert.equal(status, 400);
      assert.equal(errorCode(json), code);
      assert.equal((json.error as { param?: string } | undefined)?.param, param);
      assert.deepEqual(stored(), { rows: 0, chunks: 0 });
    }
  });

test('what is no form, or no whole one, is refused, and nothing of it stays', async () => {
  const { body, type } = formOf({ file: randomBytes(600_000) });
  const post = async (sent: Buffer, headers: Record<string, string>) => {
    const response = await fetch(gateway.url + PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, ...headers },
      body: new Uint8Array(sent),
    });
    return [response.status, errorCode(await response.json())];
  };
  assert.deepEqual(await post(body, { 'content-type': 'application/json' }), [415, 'unsupported_media_type']);
  assert.deepEqual(await post(body, { 'content-type': type, 'content-encoding': 'gzip' }), [
    415,
    'unsupported_media_type',
  ]);
  assert.deepEqual(await post(body, { 'content-type': type, 'idempotency-key': 'k' }), [400, 'unsupported_value']);
  assert.deepEqual(await post(body.subarray(0, -3), { 'content-type': type }), [400, 'invalid_value']);
  assert.deepEqual(await post(Buffer.concat([body, Buffer.from('x')]), { 'content-type': type }), [
    400,
    'invalid_value',
  ]);
  const many = formOf({ fields: Array.from({ length: 40 }, (_, index) => [`x${index}`, 'y'] as const) });
  assert.deepEqual(await post(many.body, { 'content-type': many.type }), [400, 'invalid_value']);
  const wide = formOf({ fields: Array.from({ length: 30 }, (_, index) => [`x${index}`, 'y'.repeat(60_000)] as const) });
  assert.deepEqual(await post(wide.body, { 'content-type': wide.type }), [400, 'invalid_value']);
  assert.deepEqual(stored(), { rows: 0, chunks: 0 });
});

test('a file that is too large is refused, before it arrives if its length is declared', async () => {
  const connection = await gateway.connect();
  await connection.write(head(formOf({}).type, 50 * MIB));
  const early = await connection.answer();
  assert.equal(statusOf(early), 413);
  assert.match(early?.body.toString() ?? '', /limits\.fileBytesMax/);
  connection.close();
  for (const isChunked of [false, true]) {
    const { status, json } = await send({ file: randomBytes(FILE_MAX + 1) }, { isChunked });
    assert.equal(status, 413);
    assert.equal(errorCode(json), 'request_too_large');
    assert.match(json.error?.message ?? '', /limits\.fileBytesMax/);
  }
  assert.equal((await send({ file: randomBytes(FILE_MAX) })).status, 200);
});

test('uploads that run at the same time have no more together than the account may have', async () => {
  const uploads = await Promise.all(
    Array.from({ length: 12 }, (_, index) => send({ file: randomBytes(MIB) }, { isChunked: index % 2 === 0 })),
  );
  const taken = uploads.filter(({ status }) => status === 200);
  for (const { status, json, headers } of uploads.filter((each) => !taken.includes(each))) {
    assert.equal(status, 413);
    assert.equal(errorCode(json), 'file_space_exceeded');
    assert.notEqual(headers.get('x-should-retry'), 'true');
  }
  assert.ok(taken.length >= 2 && taken.length <= 8, `${taken.length}`);
  assert.equal(stored().rows, taken.length);
  let more = 0;
  while ((await send({ file: randomBytes(MIB) })).status === 200) more += 1;
  assert.equal(taken.length + more, 7, 'a form is longer than its file, and its length is what was asked for');
  const [first] = taken;
  await ask('DELETE', `/${first?.json.id}`);
  assert.equal((await send({ file: randomBytes(MIB) })).status, 200, 'the space of a deleted file is free');
});

test('another account has a space of its own, and keys of one account share theirs', async () => {
  const made = await control(gateway.dataFolder, 'POST', '/control/api/accounts', { name: 'Others' });
  const { id } = (made.body as { data: { id: number } }).data;
  const key = await control(gateway.dataFolder, 'POST', `/control/api/keys?account=${id}`, { name: 'o' });
  const others = (key.body as { key: string }).key;
  for (let index = 0; index < 2; index += 1) assert.equal((await send({ file: randomBytes(FILE_MAX) })).status, 200);
  const sibling = await createKey(gateway.dataFolder, 'sibling');
  assert.equal((await send({ file: randomBytes(FILE_MAX) }, { key: sibling })).status, 413);
  const { status, json } = await send({ file: randomBytes(FILE_MAX) }, { key: others });
  assert.equal(status, 200);
  assert.equal((await ask('DELETE', `/${json.id}`, others)).status, 200);
});

/** An upload of which a part has arrived and was stored; and the rest of it. */
async function half(key = gateway.key): Promise<{ connection: RawConnection; rest: Buffer }> {
  const { body, type } = formOf({ file: randomBytes(2 * MIB) });
  const connection = await gateway.connect();
  const call = gateway.nextCall();
  await connection.write(head(type, body.length, key));
  await connection.write(body.subarray(0, MIB));
  await call;
  await until('chunks of the upload', () => stored().chunks >= 3);
  assert.equal(stored().rows, 1);
  return { connection, rest: body.subarray(MIB) };
}

test('of an upload whose caller leaves nothing stays, and meanwhile nobody sees it', async () => {
  const { connection } = await half();
  assert.deepEqual(((await (await ask('GET', '')).json()) as { data: unknown[] }).data, []);
  connection.close();
  await until('the end of the upload', () => stored().rows === 0 && stored().chunks === 0);
});

test('of an upload whose key is revoked meanwhile nothing stays', async () => {
  const { connection, rest } = await half(await createKey(gateway.dataFolder, 'short'));
  await revokeKey(gateway.dataFolder, 'short');
  await connection.write(rest);
  const answer = await connection.answer();
  assert.equal(statusOf(answer), 401);
  assert.deepEqual(stored(), { rows: 0, chunks: 0 });
  connection.close();
});

test('a path has its methods, and ids are no paths', async () => {
  for (const [method, path, status, allow] of [
    ['PUT', '', 405, 'POST, GET'],
    ['POST', '/file-1', 405, 'GET, DELETE'],
    ['DELETE', '/file-1/content', 405, 'GET'],
    ['GET', '/file-1/other', 404, null],
    ['GET', '/file-1/content/x', 404, null],
    ['GET', '/..%2f..%2fetc', 404, null],
    ['GET', `/${'x'.repeat(1_000)}`, 404, null],
    ['GET', '/FILE-00000000000000000000000000', 404, null],
  ] as const) {
    const response = await ask(method, path);
    assert.deepEqual([response.status, response.headers.get('allow')], [status, allow], `${method} ${path}`);
    assert.notEqual(errorCode(await response.json()), null);
  }
});

test('requests about files count as requests, and cost nothing', async () => {
  const made = await control(gateway.dataFolder, 'POST', '/control/api/keys', {
    name: 'twice',
    limits: { requests_per_minute: 2 },
  });
  const { key } = made.body as { key: string };
  const asked = [await ask('GET', '', key), await ask('GET', '/file-1', key), await ask('GET', '', key)];
  assert.deepEqual(
    asked.map(({ status }) => status),
    [200, 404, 429],
  );
  assert.equal(asked[0]?.headers.get('cache-control'), 'no-store');
  assert.equal(gateway.records.length, 0);
});
