/**
 * Goal: whatever ends an upload or a download, nothing of an upload stays that is not a whole file, and nobody waits in vain. Method: storages that
 * refuse, clocks by hand, callers that do not read; the real program, killed in the middle.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { FormWriter, LINE_BREAK } from '../../src/wire/multipart/form-writer.ts';
import { errorCode, openGateway } from '../support/open-gateway.ts';
import { RawConnection, statusOf } from '../support/raw-connection.ts';
import { startServer } from '../support/serve-process.ts';
import { until } from '../support/turns.ts';

const MIB = 1024 * 1024;
const PATH = '/api/v1/files';

function formOf(file: Buffer): { body: Buffer; type: string } {
  const writer = new FormWriter();
  const body = Buffer.concat([
    writer.field({ name: 'purpose', value: Buffer.from('batch') }),
    writer.file({ name: 'file', fileName: 'a.jsonl', contentType: null }),
    ...[file, LINE_BREAK, writer.end()],
  ]);
  return { body, type: writer.contentType };
}

interface At {
  readonly url: string;
  readonly key: string;
}

function head({ url, key }: At, method: string, path: string, headers = ''): string {
  return `${method} ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${key}\r\n${headers}\r\n`;
}

function post({ url, key }: At, file: Buffer, headers: object = {}): Promise<Response> {
  const { body, type } = formOf(file);
  return fetch(url + PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': type, ...headers },
    body: new Uint8Array(body),
  });
}

function get({ url, key }: At, path = '', headers: object = {}): Promise<Response> {
  return fetch(url + PATH + path, { headers: { authorization: `Bearer ${key}`, ...headers } });
}

async function put(at: At, file: Buffer): Promise<string> {
  const response = await post(at, file);
  const made = (await response.json()) as { id: string };
  assert.equal(response.status, 200, JSON.stringify(made));
  return made.id;
}

/** Rows and chunks, complete or not. */
function stored(dataFolder: string): readonly [rows: number, chunks: number] {
  const count = (file: string, table: string) => {
    if (!existsSync(join(dataFolder, file))) return 0;
    const database = new DatabaseSync(join(dataFolder, file), { readOnly: true, timeout: 5_000 });
    const row = database.prepare(`SELECT count(*) AS count FROM ${table}`).get() as { count: number };
    database.close();
    return row.count;
  };
  return [count('turnpike.db', 'files'), count('files.db', 'chunks')];
}

/** An upload of which a part has arrived and was stored. */
async function half(at: At & { readonly dataFolder: string }): Promise<RawConnection> {
  const { body, type } = formOf(randomBytes(2 * MIB));
  const connection = await RawConnection.open(at.url);
  await connection.write(head(at, 'POST', PATH, `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`));
  await connection.write(body.subarray(0, MIB));
  await until('chunks of the upload', () => stored(at.dataFolder)[1] >= 3);
  return connection;
}

test('a disk that is full is 503 with a time to come back, and nothing of the upload stays', async () => {
  const gateway = await openGateway();
  try {
    const { contents } = gateway.app.gateway.files;
    const write = contents.write.bind(contents);
    let written = 0;
    contents.write = async (...chunk) => {
      written += 1;
      if (written === 3) throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
      await write(...chunk);
    };
    const response = await post(gateway, randomBytes(MIB));
    assert.equal(response.status, 503);
    assert.equal(errorCode(await response.json()), 'ledger_unavailable');
    assert.notEqual(response.headers.get('retry-after'), null);
    assert.deepEqual(stored(gateway.dataFolder), [0, 0]);
    assert.equal((await post(gateway, randomBytes(MIB))).status, 200);
  } finally {
    await gateway.close();
  }
});

test('an upload that a drain cuts off is told so, and nothing of it stays', async () => {
  const gateway = await openGateway();
  try {
    const entered = gateway.nextCall();
    const connection = await half(gateway);
    const call = await entered;
    call.cancel('drained');
    const answer = await connection.answer();
    assert.equal(statusOf(answer), 503);
    assert.equal(errorCode(JSON.parse(answer?.body.toString() ?? '')), 'draining');
    assert.deepEqual(stored(gateway.dataFolder), [0, 0]);
    connection.close();
  } finally {
    await gateway.close();
  }
});

test('a download whose caller stops reading is cut off, and a whole one is not', { timeout: 280_000 }, async () => {
  const gateway = await openGateway({ timeouts: { writeStallMs: 500 } });
  try {
    const file = randomBytes(40 * MIB);
    const id = await put(gateway, file);
    const connection = await RawConnection.open(gateway.url);
    connection.socket.pause();
    const entered = gateway.nextCall();
    await connection.write(head(gateway, 'GET', `${PATH}/${id}/content`));
    const call = await entered;
    await until('the end of the response', () => call.response.destroyed);
    assert.ok(call.responseBytes < file.length);
    connection.close();
    await until('the end of the call', () => gateway.app.gateway.running.count === 0);
    assert.equal(gateway.app.gateway.memory.used, 0);
    assert.ok(file.equals(Buffer.from(await (await get(gateway, `/${id}/content`)).arrayBuffer())));
  } finally {
    await gateway.close();
  }
});

test('a file of which a chunk is lost is never sent as a whole one', async () => {
  const gateway = await openGateway();
  try {
    const id = await put(gateway, randomBytes(MIB));
    const database = new DatabaseSync(join(gateway.dataFolder, 'files.db'));
    database.exec('DELETE FROM chunks WHERE number = 2');
    const part = await get(gateway, `/${id}/content`);
    await assert.rejects(part.arrayBuffer());
    database.exec('DELETE FROM chunks');
    database.close();
    const none = await get(gateway, `/${id}/content`);
    assert.equal(none.status, 404);
    assert.equal(errorCode(await none.json()), 'file_not_found');
  } finally {
    await gateway.close();
  }
});

test('a file is in no file of the data folder in clear, and no place of one can be taken by another', async () => {
  const gateway = await openGateway();
  try {
    const canary = 'the canary in the file sings ';
    const ids = [await put(gateway, Buffer.from(canary.repeat(30_000))), await put(gateway, Buffer.from(canary))];
    for (const name of readdirSync(gateway.dataFolder).filter((each) => /\.db/.test(each)))
      assert.ok(!readFileSync(join(gateway.dataFolder, name)).includes(canary), name);
    assert.ok(!gateway.log.join('').includes(canary));
    const database = new DatabaseSync(join(gateway.dataFolder, 'files.db'));
    const { sealed } = database.prepare('SELECT sealed FROM chunks WHERE number = 1').get() as { sealed: Uint8Array };
    database.prepare('UPDATE chunks SET sealed = ? WHERE number = 0').run(sealed);
    database.close();
    for (const id of ids) assert.equal((await get(gateway, `/${id}/content`)).status, 500);
  } finally {
    await gateway.close();
  }
});

test('after a rotation of keys, files are read that were sealed before', async () => {
  const gateway = await openGateway();
  try {
    const file = randomBytes(MIB);
    const id = await put(gateway, file);
    const { control } = await import('../support/control.ts');
    const rotated = await control(gateway.dataFolder, 'POST', '/control/api/credentials/rotate', {});
    assert.equal(rotated.status, 200, JSON.stringify(rotated.body));
    const later = await put(gateway, file);
    for (const each of [id, later])
      assert.ok(file.equals(Buffer.from(await (await get(gateway, `/${each}/content`)).arrayBuffer())));
  } finally {
    await gateway.close();
  }
});

test('of an upload that a kill ends nothing is listed after the restart, and its space is free', {
  timeout: 120_000,
}, async () => {
  const limits = { fileBytesMax: 3 * MIB, accountFilesBytesMax: 4 * MIB };
  const server = await startServer({ demo: false, limits });
  try {
    const kept = await put(server, randomBytes(MIB));
    const before = stored(server.dataFolder)[1];
    const { body, type } = formOf(randomBytes(2 * MIB));
    const connection = await RawConnection.open(server.url);
    const headers = `Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n`;
    await connection.write(head(server, 'POST', PATH, headers));
    await connection.write(body.subarray(0, MIB));
    await until('chunks of the upload', () => stored(server.dataFolder)[1] >= before + 3);
    const exited = once(server.process, 'exit');
    server.process.kill('SIGKILL');
    await exited;
    connection.close();
    const again = await startServer(server);
    const { data } = (await (await get(again)).json()) as { data: readonly { id: string }[] };
    assert.deepEqual(
      data.map(({ id }) => id),
      [kept],
    );
    assert.equal(stored(again.dataFolder)[0], 1);
    await put(again, randomBytes(2 * MIB));
    again.process.kill('SIGTERM');
    await once(again.process, 'exit');
  } finally {
    await server.remove();
  }
});
