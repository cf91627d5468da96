/**
 * Goal: a number that no row can have, as an id, in a cursor or anywhere else, is an error of whoever sends it on every route, and never one of the
 * database. Method: every route of the management API at a door that has it, each of its fields in turn with such numbers, and what else the route
 * requires as its schema says; on PostgreSQL, which has smaller integers than SQLite.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { contractRoutes } from '../../src/api/contract/schemas.ts';
import { chatBody, type OpenGateway, PATHS } from '../support/open-gateway.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { startNodes } from '../support/start-nodes.ts';
import { begin } from './ask.ts';
import { Browser } from './browser.ts';
import { tokenIn } from './two-accounts.ts';

/** Beyond 32 bits, and beyond 64 bits; each as far as a pattern may allow it. */
const NUMBERS = ['99999999999', '99999999999999999999'];
/** Of pages, in the forms that routes write. */
const CURSORS = NUMBERS.flatMap((number) => [
  `.${number}`,
  `20000.${number.slice(0, 19)}`,
  `0.${number}`,
  `${number}.`,
]);

/** The whole ledger is read, or the machine changed, by these; they take no id. */
const LEFT_OUT = /\/ledger\/(verify|seal|adopt)|\/backup|\/credentials\/|\/admin|\/session|\/setup/;

/** Of callers, with their keys. */
const PUBLIC = ['generation?id=', 'activity?key=', 'activity?project=', 'activity?api_key_hash=', 'keys/', 'models/'];
const DAY_MS = 86_400_000;

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;

/** What a schema takes, as far as routes go: only what is required. */
function sampleOf(schema: Schema): unknown {
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first !== undefined) return sampleOf(first);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [type] = [schema.type ?? 'string'].flat();
  if (type === 'object')
    return Object.fromEntries((schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]));
  if (type === 'array') return schema.items === undefined ? [] : [sampleOf(schema.items)];
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1);
  if (schema.format === 'date-time' || schema.format === 'date') return '2026-11-01T00:00:00Z';
  return schema.pattern !== undefined && !/[a-z]/.test(schema.pattern.replaceAll('\\d', '')) ? '1' : 'a';
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: object | undefined;
}

/** Requests of a route with `number` in each of its fields in turn. */
function* requestsOf({ route }: (typeof contractRoutes)[number], number: string): Generator<Asked> {
  const { method } = route;
  const query = schemaOf(route.query);
  const body = schemaOf(route.body);
  const required = { ...(sampleOf(query) as Readonly<Record<string, string>>) };
  // A range that has the calls.
  for (const [name, aheadMs] of Object.entries({ from: -DAY_MS, to: DAY_MS }))
    if (name in required) required[name] = new Date(Date.now() + aheadMs).toISOString();
  const payload = method === 'GET' ? undefined : (sampleOf(body) as object);
  const pathOf = (value: string) => route.path.replaceAll(/:\w+/g, value);
  const withQuery = (path: string, more: Readonly<Record<string, string>>) =>
    `${path}?${new URLSearchParams({ ...required, ...more })}`;
  if (route.path.includes(':')) yield { method, path: withQuery(pathOf(number), {}), body: payload };
  for (const name of Object.keys(query.properties ?? {}))
    yield { method, path: withQuery(pathOf('1'), { [name]: number }), body: payload };
  if (method !== 'GET')
    for (const value of valuesOf(number))
      for (const each of bodiesWith(body, value))
        yield { method, path: withQuery(pathOf('1'), {}), body: { ...payload, ...(each as object) } };
}

/** In a body an id is a number, or text. */
function valuesOf(number: string): readonly unknown[] {
  return [number, Number(number)];
}

/** Each field in turn, in whatever objects and lists it is. */
function* bodiesWith(schema: Schema, value: unknown): Generator<unknown> {
  for (const each of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) yield* bodiesWith(each, value);
  const [type] = [schema.type ?? []].flat();
  if (type === 'object')
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      for (const inner of bodiesWith(property, value)) yield { ...(sampleOf(schema) as object), [name]: inner };
  else if (type === 'array') for (const inner of bodiesWith(schema.items ?? {}, value)) yield [inner];
  else if (schema.anyOf === undefined && schema.oneOf === undefined) yield value;
}

for (const server of serverNames)
  describe(`on PostgreSQL ${server}`, () => {
    test('no number in any field of any route is an error of the database', async () => {
      const { gateway, close } = await open(server);
      try {
        const operator = new Browser(gateway.url);
        const person = { email: 'operator@example.com', name: 'Olga', password: 'a horse in the rain' };
        await operator.ask('POST', '/setup', { token: tokenIn(await gateway.app.setUpLink()), ...person });
        for (let call = 0; call < 3; call += 1) {
          const recorded = gateway.nextRecord();
          await (await gateway.post(PATHS['openai-chat'], chatBody(false))).text();
          await recorded;
        }
        const failed: string[] = [];
        let asked = 0;
        // What is made has such names, which a path may name: so everything is read first.
        const reading = contractRoutes.toSorted(
          ({ route: one }, { route: other }) => Number(one.method !== 'GET') - Number(other.method !== 'GET'),
        );
        for (const each of reading) {
          if (LEFT_OUT.test(each.route.path)) continue;
          for (const number of [...NUMBERS, ...(hasCursor(each) ? CURSORS : [])])
            for (const request of requestsOf(each, number)) {
              asked += 1;
              const { status, said } = await send(gateway, operator, each.route.doors.includes('control'), request);
              if (status >= 500)
                failed.push(`${request.method} ${request.path} ${JSON.stringify(request.body)}: ${said}`);
            }
        }
        for (const number of NUMBERS)
          for (const path of PUBLIC) {
            asked += 1;
            const answer = await fetch(`${gateway.url}/api/v1/${path}${number}`, {
              headers: { authorization: `Bearer ${gateway.key}` },
            });
            if (answer.status >= 500) failed.push(`${path}${number}: ${answer.status} ${await answer.text()}`);
            else await answer.arrayBuffer();
          }
        assert.deepEqual(failed, []);
        assert.ok(asked > 1_000, `${asked} requests`);
      } finally {
        await close();
      }
    });
  });

function hasCursor({ route }: (typeof contractRoutes)[number]): boolean {
  return Object.keys(schemaOf(route.query).properties ?? {}).includes('cursor');
}

async function send({ app, url }: OpenGateway, operator: Browser, isControl: boolean, { method, path, body }: Asked) {
  if (isControl) {
    const sent = body === undefined ? {} : { payload: body };
    const answer = await app.control.inject({ method: method as 'GET', url: `/control/api${path}`, ...sent });
    return { status: answer.statusCode, said: `${answer.statusCode} ${answer.body}` };
  }
  const headers = { 'sec-fetch-site': 'same-origin', ...operator.head() };
  const answer = await begin(url, { method, path: `/api/dashboard${path}`, headers, body });
  const status = answer.statusCode ?? 0;
  assert.ok(status !== 401, `${path} needs a session, and there is one`);
  // A stream has no end.
  answer.destroy();
  return { status, said: String(status) };
}

async function open(
  server: (typeof serverNames)[number],
): Promise<{ gateway: OpenGateway; close: () => Promise<void> }> {
  const started = await startNodes(1, server, { billing: { firstRunCredit: '1000' } });
  const [gateway] = started.nodes;
  return { gateway: gateway ?? assert.fail(), close: () => started.close() };
}
