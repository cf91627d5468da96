/**
 * Goal: Codex finds the models that its key may use, and all other clients get the list that they know. Method: the gateway in process, and
 * the request that Codex makes.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { control } from '../support/control.ts';
import { OPEN_MODEL, type OpenBench, openBench } from '../support/open-gateway.ts';

let bench: OpenBench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

const PATHS = ['/api/v1/models', '/v1/models', '/api/v1/v1/models'];

async function list(path: string, { key = bench.key, ...headers }: Record<string, string> = {}): Promise<Response> {
  return fetch(bench.url + path, { headers: { authorization: `Bearer ${key}`, originator: 'codex_exec', ...headers } });
}

interface Lists {
  readonly models?: readonly { readonly slug: string; readonly visibility: string }[];
  readonly data?: readonly { readonly id: string }[];
}

async function read(answer: Response): Promise<Lists> {
  return (await answer.json()) as Lists;
}

test('Codex, which says its version, gets its own list; everyone else the usual one', async () => {
  for (const path of PATHS) {
    const { models } = await read(await list(`${path}?client_version=0.169.0`));
    assert.deepEqual(
      models?.map(({ slug, visibility }) => [slug, visibility]),
      [[OPEN_MODEL, 'list']],
    );
    const { data } = await read(await list(path));
    assert.deepEqual(
      data?.map(({ id }) => id),
      [OPEN_MODEL],
    );
  }
});

test('a list that Codex has is not sent again', async () => {
  const path = `${PATHS[0]}?client_version=0.169.0`;
  const first = await list(path);
  await first.text();
  const etag = first.headers.get('etag') ?? '';
  assert.match(etag, /^"[\w-]{27}"$/);
  for (const sent of [etag, `"other", W/${etag}`, '*']) {
    const again = await list(path, { 'if-none-match': sent });
    assert.equal(again.status, 304, sent);
    assert.equal(await again.text(), '');
    assert.equal(again.headers.get('etag'), etag);
  }
  const changed = await list(path, { 'if-none-match': '"other"' });
  assert.equal(changed.status, 200);
  assert.equal((await read(changed)).models?.length, 1);
});

test('it lists only what the key may use, and needs a key', async () => {
  const { status, body } = await control(bench.dataFolder, 'POST', '/control/api/keys?account=1', {
    name: 'others only',
    permissions: { models_allow: ['other/thing'] },
  });
  assert.equal(status, 201, JSON.stringify(body));
  const { key } = body as { key: string };
  const path = `${PATHS[1]}?client_version=0.169.0`;
  const own = await list(path, { key });
  assert.deepEqual(await own.json(), { models: [] });
  const whole = await list(path);
  await whole.text();
  const asked = await list(path, { key, 'if-none-match': whole.headers.get('etag') ?? '' });
  assert.equal(asked.status, 200, 'the tag of another key’s list is not the tag of this one');
  await asked.text();
  const unknown = await list(path, { key: `sk-tp-${'0'.repeat(49)}` });
  await unknown.text();
  assert.equal(unknown.status, 401);
});
