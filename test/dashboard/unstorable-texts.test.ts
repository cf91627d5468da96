/**
 * Goal: no text that a person, a command or a caller sends makes a request fail in the database. Method: NUL characters, which PostgreSQL cannot store,
 * and halves of surrogate pairs in every field of every route of the management API, and in calls, on every storage.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { contract } from '../../src/api/contract/index.ts';
import { chatBody, OPEN_MODEL, type OpenGateway, openBench, PATHS } from '../support/open-gateway.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { startNodes } from '../support/start-nodes.ts';

const TEXTS = ['a\0b', '\0', '\ud800', 'a\ufffe'];

interface AnyRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  readonly body: z.ZodType;
}

const routes = Object.values(contract).flatMap((ofNoun) => Object.values(ofNoun) as unknown as readonly AnyRoute[]);

const fieldsOf = (schema: z.ZodType): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

/** The whole ledger is read, or the machine changed, by these; they take no text, or a folder's name. */
const LEFT_OUT = /\/ledger\/(verify|seal|adopt)|\/backup|\/credentials/;

const storages = ['SQLite', ...serverNames.slice(0, 1)] as const;
for (const storage of storages)
  describe(`on ${storage === 'SQLite' ? storage : `PostgreSQL ${storage}`}`, () => {
    test('no route of the management API fails', async () => {
      const { gateway, close } = await open(storage);
      try {
        for (const route of routes) for (const text of TEXTS) await sendTo(gateway, route, text);
        const { violations } = await verify(gateway);
        assert.deepEqual(violations, [], 'the audit log is as it was written, too');
      } finally {
        await close();
      }
    });

    test('no call fails, and each is settled', async () => {
      const { gateway, close } = await open(storage);
      try {
        for (const text of TEXTS) {
          const metadata = { a: text, [text]: 'b' };
          const fields = { user: text, metadata, safety_identifier: text, prompt_cache_key: text };
          for (const body of [
            { ...chatBody(false), ...fields },
            { ...chatBody(false, text), model: text },
            { ...chatBody(true, text), ...fields },
            { ...chatBody(false), models: [text, OPEN_MODEL] },
          ]) {
            const answer = await gateway.post(PATHS['openai-chat'], body);
            const said = await answer.text();
            assert.ok(answer.status < 500, `${JSON.stringify(body)}: ${answer.status} ${said}`);
          }
          const path = encodeURIComponent(text.toWellFormed());
          for (const each of [`/api/v1/generation?id=${path}`, `/api/v1/models/${path}`]) {
            const answer = await fetch(gateway.url + each, { headers: { authorization: `Bearer ${gateway.key}` } });
            await answer.text();
            assert.ok(answer.status < 500, `${each}: ${answer.status}`);
          }
        }
        assert.equal((await verify(gateway)).ok, true);
        assert.deepEqual(
          gateway.log.filter((line) => /settlement_refused|commit_failed|records_lost|internal_error/.test(line)),
          [],
        );
      } finally {
        await close();
      }
    });
  });

async function open(storage: (typeof storages)[number]): Promise<{ gateway: OpenGateway; close: () => Promise<void> }> {
  if (storage === 'SQLite') {
    const gateway = await openBench();
    return { gateway, close: () => gateway.close() };
  }
  const started = await startNodes(1, storage, { billing: { firstRunCredit: '1000' } });
  const [gateway] = started.nodes;
  return { gateway: gateway ?? assert.fail(), close: () => started.close() };
}

async function verify({ app }: OpenGateway) {
  const answer = await app.control.inject({ method: 'POST', url: '/control/api/ledger/verify', payload: {} });
  return (JSON.parse(answer.body) as { data: { ok: boolean; violations: readonly unknown[] } }).data;
}

/** In every field at once, and in each alone. */
async function sendTo({ app }: OpenGateway, route: AnyRoute, text: string): Promise<void> {
  if (LEFT_OUT.test(route.path)) return;
  const path = route.path.replaceAll(/:(\w+)|\{(\w+)\}/g, () => encodeURIComponent(text.toWellFormed()));
  const ids = route.path.replaceAll(/:(\w+)|\{(\w+)\}/g, '1');
  const query = fieldsOf(route.query);
  const body = fieldsOf(route.body);
  const asked = [
    { url: path, payload: {} },
    ...query.map((name) => ({ url: `${ids}?${new URLSearchParams({ [name]: text })}`, payload: {} })),
    { url: ids, payload: Object.fromEntries(body.map((name) => [name, text])) },
    ...body.map((name) => ({ url: ids, payload: { name: 'n', email: 'a@example.com', [name]: text } })),
    ...body.map((name) => ({ url: ids, payload: { [name]: { [text]: text } } })),
    ...body.map((name) => ({ url: ids, payload: { [name]: [text] } })),
  ];
  for (const { url, payload } of asked) {
    const answer = await app.control.inject({
      method: route.method,
      url: `/control/api${url}`,
      ...(route.method === 'GET' ? {} : { payload }),
    });
    assert.ok(
      answer.statusCode < 500,
      `${route.method} ${url} ${JSON.stringify(payload)}: ${answer.statusCode} ${answer.body}`,
    );
  }
}
