/**
 * Goal: OpenAI's own package uploads, lists, reads and deletes files here, each of its own project only, and with the permission for it.
 * Method: the `openai` package against the gateway in process, with a clock that the test moves; keys of two accounts and two projects.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import OpenAI, { toFile } from 'openai';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { control } from '../support/control.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';

const DAY_S = 86_400;
const LINE = '{"custom_id":"1","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[]}}\n';

/** The time of day jumps; timers do not notice. */
let aheadMs = 0;
const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
let gateway: OpenGateway;
let client: OpenAI;
let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'turnpike-files-'));
  gateway = await openGateway({}, { clock });
  client = clientOf(gateway.key);
});
after(async () => {
  await gateway.close();
  await rm(folder, { recursive: true });
});

function clientOf(apiKey: string, basePath = '/api/v1'): OpenAI {
  return new OpenAI({ baseURL: gateway.url + basePath, apiKey, maxRetries: 0 });
}

async function makeKey(account: number, fields: object): Promise<OpenAI> {
  const made = await control(gateway.dataFolder, 'POST', `/control/api/keys?account=${account}`, {
    name: 'k',
    ...fields,
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return clientOf((made.body as { key: string }).key);
}

async function upload(content: string | Buffer, name = 'lines.jsonl', by = client) {
  return by.files.create({ file: await toFile(Buffer.from(content), name), purpose: 'batch' });
}

async function refusal(asked: Promise<unknown>): Promise<{ status: number; code: string; param: unknown }> {
  const error = await asked.then(
    () => assert.fail('it was not refused'),
    (thrown) => thrown,
  );
  assert.ok(error instanceof OpenAI.APIError, String(error));
  return { status: error.status as number, code: String(error.code), param: error.param };
}

test('a file of the disk is uploaded as a stream, and comes back the same', async () => {
  const content = Buffer.from(LINE.repeat(12_000));
  const path = join(folder, 'übung.jsonl');
  await writeFile(path, content);
  const file = await client.files.create({ file: createReadStream(path), purpose: 'batch' });
  const now = Math.floor(clock.now() / 1_000);
  assert.match(file.id, /^file-[0-9a-hjkmnp-tv-z]{26}$/);
  assert.deepEqual(
    { ...file, id: '', created_at: 0, expires_at: 0 },
    {
      id: '',
      object: 'file',
      bytes: content.length,
      created_at: 0,
      expires_at: 0,
      filename: 'übung.jsonl',
      purpose: 'batch',
      status: 'processed',
    },
  );
  assert.ok(Math.abs(file.created_at - now) <= 10 && (file.expires_at ?? 0) - file.created_at === 30 * DAY_S);
  assert.deepEqual(await client.files.retrieve(file.id), file);
  const sent = await client.files.content(file.id);
  assert.equal(sent.headers.get('content-length'), String(content.length));
  assert.match(sent.headers.get('content-disposition') ?? '', /^attachment; filename\*=UTF-8''%C3%BCbung\.jsonl$/);
  assert.deepEqual(Buffer.from(await sent.arrayBuffer()), content);
  for (const base of ['/v1', '/api/v1/v1', '']) {
    const other = clientOf(gateway.key, base);
    assert.equal(await (await other.files.content(file.id)).text(), content.toString());
  }
});

test('files of every length around a chunk come back the same', async () => {
  const chunk = 256 * 1024;
  for (const length of [1, chunk - 1, chunk, chunk + 1, 3 * chunk]) {
    const content = randomBytes(length);
    const { id, bytes } = await upload(content);
    assert.equal(bytes, length);
    assert.deepEqual(Buffer.from(await (await client.files.content(id)).arrayBuffer()), content);
  }
});

test('files are listed page by page, newest first or oldest first, and by purpose', async () => {
  const mine = await makeProject('paged');
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    aheadMs += 1_000;
    ids.push((await upload(LINE, `${index}.jsonl`, mine)).id);
  }
  const listed = async (query: object) => (await Array.fromAsync(mine.files.list(query))).map(({ id }) => id);
  assert.deepEqual(await listed({}), ids.toReversed());
  assert.deepEqual(await listed({ limit: 2 }), ids.toReversed(), 'the package asks for the next pages');
  assert.deepEqual(await listed({ limit: 2, order: 'asc' }), ids);
  assert.deepEqual(await listed({ after: ids[2], order: 'desc' }), [ids[1], ids[0]]);
  assert.deepEqual(await listed({ purpose: 'batch' }), ids.toReversed());
  assert.deepEqual(await listed({ purpose: 'batch_output' }), []);
  assert.deepEqual(await listed({ purpose: 'fine-tune' }), []);
  const page = await mine.files.list({ limit: 3 });
  assert.equal(page.has_more, true);
  assert.equal(page.data.length, 3);
  for (const [query, param] of [
    [{ limit: 0 }, 'limit'],
    [{ limit: 10_001 }, 'limit'],
    [{ order: 'up' }, 'order'],
    [{ after: 'file-1' }, 'after'],
  ] as const)
    assert.deepEqual(await refusal(mine.files.list(query as object).asResponse()), {
      status: 400,
      code: 'invalid_value',
      param,
    });
});

test('a deleted file is gone', async () => {
  const { id } = await upload(LINE);
  assert.deepEqual(await client.files.delete(id), { id, object: 'file', deleted: true });
  for (const name of ['retrieve', 'content', 'delete'] as const)
    assert.deepEqual(await refusal(client.files[name](id)), { status: 404, code: 'file_not_found', param: 'id' });
  assert.ok((await client.files.list()).data.every((file) => file.id !== id));
});

test('a file expires after 30 days, or when its caller said', async () => {
  const mine = await makeProject('expiring');
  const soon = await mine.files.create({
    file: await toFile(Buffer.from(LINE), 'a.jsonl'),
    purpose: 'batch',
    expires_after: { anchor: 'created_at', seconds: 3_600 },
  });
  const { id: late } = await upload(LINE, 'b.jsonl', mine);
  assert.equal((soon.expires_at ?? 0) - soon.created_at, 3_600);
  const ids = async () => (await mine.files.list()).data.map(({ id }) => id);
  aheadMs += 3_590_000;
  assert.deepEqual(await ids(), [late, soon.id]);
  aheadMs += 20_000;
  assert.deepEqual(await ids(), [late]);
  assert.deepEqual(await refusal(mine.files.content(soon.id)), { status: 404, code: 'file_not_found', param: 'id' });
  await gateway.app.gateway.files.deleteExpired(clock.now());
  assert.deepEqual(await ids(), [late]);
  aheadMs += 30 * DAY_S * 1_000;
  assert.deepEqual(await ids(), []);
});

test('a file of another project, or another account, is as unknown as one that never was', async () => {
  const { id } = await upload(LINE);
  const made = await control(gateway.dataFolder, 'POST', '/control/api/accounts', { name: 'Strangers' });
  const stranger = await makeKey((made.body as { data: { id: number } }).data.id, {});
  for (const other of [await makeProject('sibling'), stranger]) {
    assert.deepEqual((await other.files.list()).data, []);
    const message = (text: string) => text.replaceAll(/file-\w+/g, 'file-…');
    const unknown = await other.files.retrieve(`file-${'0'.repeat(26)}`).catch((error) => message(error.message));
    for (const name of ['retrieve', 'content', 'delete'] as const) {
      const asked: Promise<unknown> = other.files[name](id);
      const error = await asked.then(
        () => assert.fail('it was found'),
        (thrown) => thrown as { status: number; message: string },
      );
      assert.equal(error.status, 404);
      assert.equal(message(error.message), unknown);
    }
  }
  assert.equal((await client.files.retrieve(id)).id, id);
});

test('keys need the permission for batches, and the form of another purpose is refused', async () => {
  const { id } = await upload(LINE);
  const limited = await makeKey(1, { permissions: { operations: ['chat'] } });
  const allowed = await makeKey(1, { permissions: { operations: ['batches'] } });
  const attempts = [
    () => upload(LINE, 'x', limited),
    () => limited.files.list().asResponse(),
    () => limited.files.retrieve(id),
  ];
  for (const attempt of attempts) {
    const { status, code } = await refusal(attempt());
    assert.deepEqual([status, code], [403, 'permission_denied']);
  }
  assert.equal((await allowed.files.retrieve(id)).id, id);
  const form = (purpose: string, rest: object = {}) => {
    const file = toFile(Buffer.from(LINE), 'x');
    return file.then((sent) => client.files.create({ file: sent, purpose: purpose as 'batch', ...rest }));
  };
  for (const purpose of ['fine-tune', 'assistants', 'batch_output', ''])
    assert.deepEqual(await refusal(form(purpose)), { status: 400, code: 'unsupported_value', param: 'purpose' });
  for (const seconds of [3_599, 2_592_001, 0.5])
    assert.deepEqual(await refusal(form('batch', { expires_after: { anchor: 'created_at', seconds } })), {
      status: 400,
      code: 'invalid_value',
      param: 'expires_after[seconds]',
    });
  assert.deepEqual(await refusal(form('batch', { expires_after: { anchor: 'today', seconds: 4_000 } })), {
    status: 400,
    code: 'invalid_value',
    param: 'expires_after[anchor]',
  });
});

/** A client of a new project of the first account. */
async function makeProject(name: string): Promise<OpenAI> {
  const made = await control(gateway.dataFolder, 'POST', '/control/api/projects?account=1', { name });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return makeKey(1, { project: name });
}
