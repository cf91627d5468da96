/**
 * Goal: an operation that is only a part of a format has everything that a conversation has: a permission of its own, limits, a record, an answer
 * for a request that is sent again, stored bodies. Method: every part of OpenAI's format, with the demo's model for it.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Key } from '../../src/accounts/keys.ts';
import { accountId, parseCallId } from '../../src/core/ids.ts';
import type { OperationName } from '../../src/dialects/interface/caller-path.ts';
import type { OperationPart } from '../../src/dialects/interface/operation-part.ts';
import { parts, usualPartPaths } from '../../src/dialects/openai-chat/operations/index.ts';
import { operations } from '../../src/operations/index.ts';
import { type OpenGateway, openGateway } from '../support/open-gateway.ts';

type PartName = keyof typeof parts;

/** A model of the demo for each. */
const MODELS: Readonly<Record<PartName, string>> = {
  completions: 'demo/echo',
  embeddings: 'demo/embed',
  images: 'demo/image',
  image_edits: 'demo/image',
  moderations: 'demo/moderate',
  rerank: 'demo/rerank',
  speech: 'demo/speak',
  transcriptions: 'demo/listen',
  translations: 'demo/listen',
};
/** Those whose answers to equal requests differ. */
const MADE_ANEW: ReadonlySet<PartName> = new Set([
  'completions',
  'images',
  'image_edits',
  'speech',
  'transcriptions',
  'translations',
]);
const RECORDING = Buffer.alloc(34_000);
const NAMES = Object.keys(parts) as PartName[];

let gateway: OpenGateway;
before(async () => {
  gateway = await openGateway({ demo: true });
});
after(() => gateway.close());

function permissionOf(name: PartName): OperationName {
  return operations[name].permission;
}

function ask(name: PartName, headers: Readonly<Record<string, string>> = {}, more: object = {}): Promise<Response> {
  if (takesForm(name)) return askWithFile(name, headers, { model: MODELS[name], ...more });
  return gateway.post(`/api${usualPartPaths[name]}`, { ...parts[name].exampleBody(MODELS[name]), ...more }, headers);
}

function takesForm(name: PartName): boolean {
  const part: OperationPart = parts[name];
  return part.form?.orJson === false;
}

function askWithFile(name: PartName, headers: Readonly<Record<string, string>>, fields: object): Promise<Response> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, String(value));
  form.append('file', new File([RECORDING], 'speech.wav', { type: 'audio/wav' }));
  return fetch(`${gateway.url}/api${usualPartPaths[name]}`, {
    ...{ method: 'POST', body: form },
    headers: { authorization: `Bearer ${gateway.key}`, ...headers },
  });
}

/** The request as it is stored. */
function storedRequest(name: PartName): string {
  if (!takesForm(name)) return JSON.stringify(parts[name].exampleBody(MODELS[name]));
  const sha256 = createHash('sha256').update(RECORDING).digest('hex');
  const file = { filename: 'speech.wav', content_type: 'audio/wav', bytes: RECORDING.length, sha256 };
  return JSON.stringify({ model: MODELS[name], file });
}

function chat(): Promise<Response> {
  return gateway.post('/api/v1/chat/completions', { model: 'demo/echo', messages: [{ role: 'user', content: 'x' }] });
}

/** Changes the only key for as long as `run` takes. */
async function withKey(change: Partial<Key>, run: () => Promise<void>): Promise<void> {
  const { keys } = gateway.app.gateway;
  const key = keys.find(gateway.key) ?? assert.fail('the gateway has a key');
  const put = (seq: number, changed: Partial<Key>) =>
    keys.put({ ...key, digest: key.digest, updatedAt: key.updatedAt, seq: key.seq + seq, ...changed });
  put(1, change);
  try {
    await run();
  } finally {
    put(2, {});
  }
}

async function codeOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: { code: string } };
  return `${response.status} ${error.code}`;
}

for (const name of NAMES) {
  test(`${name} needs its permission, and that permits no conversation`, async () => {
    await withKey(
      { permissions: { operations: NAMES.filter((other) => permissionOf(other) !== permissionOf(name)) } },
      async () => {
        assert.equal(await codeOf(await ask(name)), '403 permission_denied');
      },
    );
    await withKey({ permissions: { operations: [permissionOf(name)] } }, async () => {
      const response = await ask(name);
      assert.equal(response.status, 200, await response.text());
      assert.equal(await codeOf(await chat()), '403 permission_denied');
    });
  });

  test(`${name} counts in the limits`, async () => {
    await withKey({ limits: { requestsPerDay: 1 } }, async () => {
      const statuses = [(await ask(name)).status, (await ask(name)).status];
      assert.equal(statuses.at(-1), 429, String(statuses));
    });
  });

  test(`${name} leaves a record, and both bodies where they are stored`, async () => {
    const { scopes } = gateway.app.gateway;
    const account = scopes.account(accountId(1));
    scopes.putAccount({ ...account, capture: { on: true, retentionDays: 7, redact: false }, seq: account.seq + 1 });
    const ended = gateway.nextRecord();
    const sent = storedRequest(name);
    const response = await ask(name);
    const answered = await response.text();
    const record = await ended;
    const id = parseCallId(response.headers.get('x-generation-id') ?? '');
    assert.deepEqual([record.callId, record.operation, record.ending, record.provider], [id, name, 'complete', 'demo']);
    assert.ok((record.charge ?? -1n) >= 0n && (record.charge ?? 0n) <= (record.hold ?? 0n));
    const kept = await gateway.app.captures.bodiesOf(accountId(1), record.callId);
    assert.deepEqual(kept?.request, { text: sent, isTruncated: false });
    const stored = name === 'speech' ? `[audio/wav, ${record.responseBytes} bytes]` : answered;
    assert.deepEqual(kept?.response, { text: stored, isTruncated: false });
  });

  test(`${name} is answered once if it is sent again with its idempotency key`, async () => {
    const { length } = gateway.records;
    const again = () => ask(name, { 'idempotency-key': `once-${name}` });
    // A file is not kept, so nobody can say whether it is the same.
    if (takesForm(name)) return assert.equal(await codeOf(await again()), '400 unsupported_value');
    const [first, second] = [await again(), await again()];
    // A stream is not stored, but never made and charged twice.
    if (name === 'speech') assert.equal(await codeOf(second), '409 idempotency_streamed');
    else assert.equal(await second.text(), await first.text());
    const charges = gateway.records.slice(length).map(({ charge }) => charge);
    assert.equal(charges.length, 1);
  });
}

test('what the cache may give again is what says the same each time', async () => {
  for (const name of NAMES) {
    const cached = () => ask(name, { 'x-turnpike-cache': 'true' }, { user: 'cached' });
    const headers = [(await cached()).headers, (await cached()).headers].map((each) => each.get('x-turnpike-cache'));
    assert.deepEqual(headers, MADE_ANEW.has(name) ? ['miss', 'miss'] : ['miss', 'hit'], name);
  }
});
