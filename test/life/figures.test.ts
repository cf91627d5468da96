/**
 * Goal: one rule of figures in every answer (decision 0027): an amount of money is a number, a price is text, a duration has at
 * most three decimals. Method: a walk over the published schemas, and over real answers of every route that reads, digits as they
 * were written, after calls that cost something, a top-up, budgets and a 402.
 */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { contract } from '../../src/api/contract/index.ts';
import type { Declared } from '../../src/api/contract/route.ts';
import { chatBody, DIALECTS, type OpenBench, openBench, PATHS } from '../support/open-gateway.ts';

const AMOUNT =
  /^(amount|charges?|cost|spend|spent|fault|variance|refunded|balance|available|held|credited|charged|needed|opening|closing|topups|promos|adjustments|refunds|limit_remaining|(byok_)?usage(_daily|_weekly|_monthly)?|total_(cost|credits|usage)|upstream_inference_cost|cache_discount)$/;
const PRICE = /^(price|price_per_million)$/;
const DURATION = /(_ms|^latency|^generation_time)$/;
/** What they hold are prices, by other names; what `budgets` hold by window are amounts. */
const PRICES = /^(pricing|price)$/;
const WINDOW = /^(day|week|month|total)$/;
const isAmountName = (name: string, holder: string): boolean =>
  AMOUNT.test(name) || (holder === 'budgets' && WINDOW.test(name));

let bench: OpenBench;
let call = '';
let poor = 0;
before(async () => {
  bench = await openBench();
  for (const dialect of DIALECTS)
    for (const stream of [false, true]) {
      const recorded = bench.nextRecord();
      const response = await bench.post(PATHS[dialect], chatBody(stream));
      await response.text();
      call = response.headers.get('x-generation-id') ?? '';
      await recorded;
    }
  const limits = { budgets: { day: '0.000001', total: '0.25' } };
  poor = JSON.parse(await control('POST', '/control/api/keys', { name: 'poor', limits })).data.id;
  await control('PATCH', '/control/api/projects/Default', { limits: { budgets: { month: '500.000000001' } } });
  await control('PATCH', '/control/api/accounts/Default', { limits: { budgets: { week: '5000' } } });
  await control('POST', '/control/api/balance/entries', { amount: '1.000000001', reference: 'r' });
});
after(() => bench.close());

test('the published schemas keep the rule', async () => {
  const document = JSON.parse(await asked('/openapi.json')) as { paths: Record<string, Record<string, Operation>> };
  const seen = { amounts: 0, prices: 0, durations: 0 };
  const wrong: string[] = [];
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations))
      walkSchema(operation.responses ?? {}, document, `${method} ${path}`, '', (where, name, holder, types) => {
        const isAmount = isAmountName(name, holder);
        const isPrice = PRICE.test(name) || PRICES.test(holder);
        if (isPrice && types.some((type) => type === 'number' || type === 'integer'))
          wrong.push(`${where} is a number`);
        else if (!isPrice && isAmount && types.includes('string')) wrong.push(`${where} is text`);
        else if (DURATION.test(name) && types.includes('string')) wrong.push(`${where} is text`);
        if (isPrice) seen.prices += 1;
        else if (isAmount) seen.amounts += 1;
        if (DURATION.test(name)) seen.durations += 1;
      });
  assert.deepEqual(wrong, []);
  assert.ok(seen.amounts > 50 && seen.prices > 3 && seen.durations > 5, JSON.stringify(seen));
});

test('real answers keep the rule', async () => {
  const answers = new Map<string, string>();
  for (const path of ['/api/v1/key', '/api/v1/credits', '/api/v1/models', '/api/v1/activity', '/v1/models'])
    answers.set(path, await asked(path));
  answers.set('/api/v1/generation', await asked(`/api/v1/generation?id=${call}`));
  for (const route of Object.values(contract).flatMap((routes): Declared[] => Object.values(routes))) {
    if (route.method !== 'GET' || !route.doors.includes('control') || route.also === 'text/event-stream') continue;
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => PARAMETERS[name] ?? '1');
    // Nobody has joined yet, brought a credential or made a batch, nothing is kept, this is no node, and the provider of this bench answers calls alone.
    if (
      /^\/(members|people|byok|account-batches)\/|^\/calls\/.*\/(bodies|capture)|\/connection$|\/set-aside$/.test(path)
    )
      continue;
    answers.set(path, await control('GET', `/control/api${path}${queryOf(path)}`));
  }
  const rotated = JSON.parse(await control('POST', `/control/api/keys/${poor}/rotate`, { grace_ms: 0 })) as {
    key: string;
  };
  answers.set('402', await (await bench.post(PATHS['openai-chat'], chatBody(false), bearer(rotated.key))).text());
  answers.set(
    '402 of messages',
    await (await bench.post(PATHS['anthropic-messages'], chatBody(false), bearer(rotated.key))).text(),
  );

  const seen = { amounts: 0, prices: 0, durations: 0 };
  const wrong: string[] = [];
  for (const [where, answer] of answers) {
    const digits = JSON.parse(answer, (_name, value: unknown, context?: { source?: string }) =>
      typeof value === 'number' ? new Digits(context?.source ?? '') : value,
    ) as unknown;
    walk(digits, where, '', '', wrong, seen);
  }
  assert.deepEqual(wrong, []);
  assert.ok(seen.amounts > 80 && seen.prices > 4 && seen.durations > 10, JSON.stringify(seen));
  assert.match(answers.get('402') ?? '', /"needed":0\.\d+/);
});

test('live events and log lines of a call have no more decimals than its record', () => {
  const durations = bench.records.flatMap(({ durationMs, firstByteMs, attempts }) => [
    ...[durationMs, firstByteMs ?? 0],
    ...attempts.map((attempt) => attempt.durationMs),
  ]);
  assert.ok(durations.length >= 12);
  for (const ms of durations) assert.match(String(ms), /^\d+(\.\d{1,3})?$/);
  const logged = bench.log.join('').matchAll(/"(?:ms|\w+Ms)":([^,}]+)/g);
  const figures = [...logged].map(([, figure = '']) => figure);
  assert.ok(figures.length >= 8);
  for (const figure of figures) assert.match(figure, /^(null|\d+(\.\d{1,3})?)$/);
});

const DAY_MS = 86_400_000;
const RANGE = `?group_by=model&from=${new Date(Date.now() - DAY_MS).toISOString()}&to=${new Date(Date.now() + DAY_MS).toISOString()}`;

function queryOf(path: string): string {
  if (path.startsWith('/usage')) return RANGE;
  return path === '/model-prices' ? '?model=scripted/model' : '';
}

/** Of a gateway with one of each. */
const PARAMETERS: Readonly<Record<string, string>> = {
  get call() {
    return call;
  },
  provider: 'scripted',
  month: '2026-11',
};

interface Operation {
  readonly responses?: unknown;
}

class Digits {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

interface Seen {
  amounts: number;
  prices: number;
  durations: number;
}

function walk(value: unknown, where: string, name: string, holder: string, wrong: string[], seen: Seen): void {
  const isDigits = value instanceof Digits;
  if (isDigits || typeof value === 'string') {
    const isPrice = PRICE.test(name) || (PRICES.test(holder) && name !== 'min_prompt_tokens');
    const isAmount = !isPrice && isAmountName(name, holder);
    const decimals = isDigits ? (/^-?\d+(?:\.(\d+))?$/.exec(value.source)?.[1]?.length ?? 0) : 0;
    if (isPrice && isDigits) wrong.push(`${where}: ${value.source} is a number`);
    if (isAmount && !isDigits) wrong.push(`${where}: ${value} is text`);
    if (isAmount && isDigits && (decimals > 12 || /e/i.test(value.source))) wrong.push(`${where}: ${value.source}`);
    if (DURATION.test(name) && (!isDigits || decimals > 3 || /e/i.test(value.source)))
      wrong.push(`${where}: ${isDigits ? value.source : value}`);
    if (isPrice) seen.prices += 1;
    if (isAmount) seen.amounts += 1;
    if (DURATION.test(name)) seen.durations += 1;
    return;
  }
  if (Array.isArray(value)) for (const item of value) walk(item, where, name, holder, wrong, seen);
  else if (typeof value === 'object' && value !== null)
    for (const [field, inner] of Object.entries(value))
      walk(inner, `${where}.${field}`, field, Array.isArray(value) ? holder : name, wrong, seen);
}

type Judge = (where: string, name: string, holder: string, types: readonly string[]) => void;

/** Every property of every schema below `node`, with the types it may have. */
function walkSchema(node: unknown, document: object, where: string, holder: string, judge: Judge, depth = 0): void {
  if (typeof node !== 'object' || node === null || depth > 40) return;
  const { $ref, properties, ...rest } = node as { $ref?: string; properties?: Record<string, unknown> };
  if ($ref !== undefined) walkSchema(resolve(document, $ref), document, where, holder, judge, depth + 1);
  for (const [name, schema] of Object.entries(properties ?? {})) {
    judge(`${where}.${name}`, name, holder, typesOf(schema, document));
    walkSchema(schema, document, `${where}.${name}`, name, judge, depth + 1);
  }
  for (const inner of Object.values(rest)) walkSchema(inner, document, where, holder, judge, depth + 1);
}

function typesOf(schema: unknown, document: object): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, $ref, anyOf, oneOf } = schema as Record<string, unknown>;
  if (typeof $ref === 'string') return typesOf(resolve(document, $ref), document);
  const choices = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [type]
    .flat()
    .filter((each) => typeof each === 'string')
    .concat(choices.flatMap((each) => typesOf(each, document)));
}

function resolve(document: object, reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function asked(path: string): Promise<string> {
  const response = await fetch(bench.url + path, { headers: bearer(bench.key) });
  const answer = await response.text();
  assert.equal(response.status, 200, `${path}: ${answer}`);
  return answer;
}

function control(method: string, path: string, body?: object): Promise<string> {
  const sent = body === undefined ? '' : JSON.stringify(body);
  const headers = sent === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) };
  return new Promise((done, fail) => {
    request({ socketPath: join(bench.dataFolder, 'control.sock'), method, path, headers }, (response) => {
      text(response).then((answer) => {
        if ((response.statusCode ?? 0) < 300) done(answer);
        else fail(new Error(`${method} ${path}: ${response.statusCode} ${answer}`));
      }, fail);
    })
      .on('error', fail)
      .end(sent);
  });
}
