/**
 * Goal: imported and pinned prices are used for new calls, after the configuration's own and before the built-in ones; every change is
 * audited, and a wrong table changes nothing. Method: a whole gateway, the commands over its control plane, tables in files.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chatBody, OPEN_MODEL, type OpenBench, openBenchWith, scriptedProvider } from '../support/open-gateway.ts';
import { type CommandRunner, commandRunner } from '../support/run-commands.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell } from '../support/upstream-scripts.ts';

let upstream: ScriptedUpstream;
let bench: OpenBench;
let cli: CommandRunner;
before(async () => {
  upstream = await startScriptedUpstream(answerWell);
  bench = await openBenchWith(upstream, {
    demo: true,
    billing: { firstRunCredit: '1000' },
    providers: [
      scriptedProvider('scripted', upstream.origin),
      { name: 'google', origin: upstream.origin, credential: 'canary-1', dialects: ['openai-chat'] },
      {
        ...{ name: 'lab', kind: 'custom', origin: upstream.origin, credential: 'canary-2', price: 'free' },
        ...{ dialects: ['openai-chat'], models: [{ upstream: 'plain' }] },
      },
    ],
  });
  cli = commandRunner({ control: bench.app.control, now: Date.now });
});
after(() => bench.close());

const GEMINI = 'google/gemini-2.5-pro';
const ask = async (method: 'GET' | 'POST', url: string, payload?: object) => {
  const answer = await bench.app.control.inject({ method, url: `/control/api${url}`, ...(payload && { payload }) });
  return answer.json();
};
const listed = async (model: string) => (await ask('GET', `/model-prices?model=${encodeURIComponent(model)}`)).data[0];
const write = (name: string, table: unknown): string => {
  writeFileSync(join(cli.cwd, name), typeof table === 'string' ? table : JSON.stringify(table));
  return name;
};
const gemini = (input: number, more: object = {}) => ({
  'gemini/gemini-2.5-pro': {
    ...{ litellm_provider: 'gemini', mode: 'chat', input_cost_per_token: input, output_cost_per_token: 2e-5 },
    ...more,
  },
});
const audits = async (action: string) =>
  (await ask('GET', '/audit?limit=50&everywhere=true')).data.filter(
    (entry: { action: string }) => entry.action === action,
  );

test('a table is compared first, then imported once; the price versions tell the history', async () => {
  const { price_version: before, origin } = await listed(GEMINI);
  assert.equal(origin, 'built-in');
  const file = write('litellm.json', gemini(2.5e-6, { deprecation_date: '2027-03-31' }));
  const diff = await cli.run(`models diff ${file}`);
  assert.equal(diff.code, 1);
  // The table has no fee for a search and no price of cached reads, so those of the built-in list stay.
  assert.match(diff.out, /^google +gemini-2\.5-pro +input +1\.25 +2\.5 +kept: cacheRead, webSearch$/m);
  assert.match(diff.out, /^google +gemini-2\.5-pro +retires +- +2027-03-31$/m);
  assert.match(diff.notes, /1 price list would change; 0 unchanged, 0 pinned, 0 of models/);
  assert.equal((await listed(GEMINI)).price_version, before);
  const dry = await cli.run(`models import ${file} --dry-run --json`);
  assert.equal(JSON.parse(dry.out).data.is_done, false);
  assert.equal((await listed(GEMINI)).price_version, before);

  const done = await cli.run(`models import ${file}`);
  assert.deepEqual([done.code, done.notes.includes('1 price list changed')], [0, true], done.notes);
  const now = await listed(GEMINI);
  assert.deepEqual(
    [now.origin, now.source, now.prices.input, now.prices.output, now.retires],
    ['imported', 'litellm', '2.5', '20', '2027-03-31'],
  );
  assert.notEqual(now.price_version, before);
  const { versions } = await ask('GET', `/model-prices?model=${encodeURIComponent(GEMINI)}`);
  assert.deepEqual(
    versions.filter(({ provider }: { provider: string }) => provider === 'google').map(({ id }: { id: number }) => id),
    [now.price_version, before],
  );
  assert.equal((await cli.run(`models diff ${file}`)).code, 0);
  const [entry, ...others] = await audits('model_price.import');
  assert.deepEqual([others.length, entry.before.prices.input, entry.after.prices.input], [0, '1.25', '2.5']);
});

test('calls that run keep the price they began with, and new ones cost the imported price', async () => {
  const waiting: (() => void)[] = [];
  upstream.play(async (exchange) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    await answerWell(exchange);
  });
  const started = (await listed(GEMINI)).price_version;
  const first = bench.post('/api/v1/chat/completions', chatBody(false, 'hi', GEMINI));
  while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await cli.run(`models import ${write('dearer.json', gemini(4e-6))}`);
  const recorded = bench.nextRecord();
  waiting[0]?.();
  await (await first).text();
  const old = await recorded;
  upstream.play(answerWell);
  const next = bench.nextRecord();
  await (await bench.post('/api/v1/chat/completions', chatBody(false, 'hi', GEMINI))).text();
  const record = await next;
  assert.equal(old.priceVersion, started);
  assert.notEqual(record.priceVersion, started);
  const cost = (input: number) => BigInt(record.usage.inputTokens * input + record.usage.outputTokens * 20_000);
  assert.deepEqual([old.cost, record.cost], [cost(2_500), cost(4_000)]);
  const { data } = await ask('POST', '/ledger/verify', {});
  assert.deepEqual(data.violations, []);
});

test('a model that is about to end is shown as such, and its answers have a warning', async () => {
  const headers = { authorization: `Bearer ${bench.key}` };
  const one = await (await fetch(`${bench.url}/api/v1/model/${GEMINI}`, { headers })).json();
  assert.equal((one as { data: { expiration_date: string } }).data.expiration_date, '2027-03-31');
  const recorded = bench.nextRecord();
  const response = await bench.post('/api/v1/chat/completions', chatBody(true, 'hi', GEMINI));
  await response.text();
  const warning = `the provider ends the model ${GEMINI} on 2027-03-31`;
  assert.equal(response.headers.get('x-turnpike-warnings'), warning);
  assert.deepEqual((await recorded).warnings, [warning]);
  const quiet = await bench.post('/api/v1/chat/completions', chatBody(false));
  assert.equal(quiet.headers.get('x-turnpike-warnings'), null);
  assert.match((await cli.run('models list gemini-2.5-pro')).out, /imported +2027-03-31/);
});

test('pinned prices are left by imports until they are unpinned', async () => {
  const pinned = await cli.run('models pin google gemini-2.5-pro --price 7/8');
  assert.match(pinned.out, /gemini-2\.5-pro is pinned: input 7, output 8/);
  const left = await cli.run(`models import ${write('again.json', gemini(6e-6))}`);
  assert.match(left.notes, /0 price lists changed; 0 unchanged, 1 pinned/);
  assert.deepEqual([(await listed(GEMINI)).origin, (await listed(GEMINI)).prices.input], ['pinned', '7']);
  const [entry] = await audits('model_price.pin');
  assert.deepEqual([entry.before.prices.input, entry.after.prices.input], ['4', '7']);
  const { versions } = await ask('GET', `/model-prices?model=${encodeURIComponent(GEMINI)}`);
  const [, earlier] = versions.filter(({ provider }: { provider: string }) => provider === 'google');
  await cli.run(`models pin google gemini-2.5-pro --price-version ${earlier.id}`);
  assert.equal((await listed(GEMINI)).price_version, earlier.id);
  await cli.run('models pin google gemini-2.5-pro --off');
  assert.equal((await listed(GEMINI)).origin, 'unpinned');
  await cli.run(`models import ${write('last.json', gemini(6e-6))}`);
  assert.deepEqual([(await listed(GEMINI)).prices.input, (await listed(GEMINI)).origin], ['6', 'imported']);
});

test('a model that is not charged by the piece keeps its prices of tokens, and the built-in price comes back', async () => {
  const before = await listed(GEMINI);
  for (const price of ['image=0.04', '0/0,image=0.04']) {
    const refused = await cli.run(`models pin google gemini-2.5-pro --price ${price}`);
    assert.equal(refused.code, 2, price);
    assert.match(refused.notes, /nothing that gemini-2\.5-pro is for is charged by image.*Send its prices of tokens/);
  }
  assert.deepEqual(await listed(GEMINI), before);
  await cli.run('models pin google gemini-2.5-pro --price 7/8');
  const back = await cli.run('models pin google gemini-2.5-pro --built-in');
  assert.match(back.out, /gemini-2\.5-pro has its built-in price again: input 1\.25, output 10/);
  const { origin, prices, source } = await listed(GEMINI);
  assert.deepEqual([origin, prices.input, source], ['built-in', '1.25', null]);
  assert.equal((await cli.run('models pin google gemini-2.5-pro --built-in --price 1/2')).code, 2);
  await cli.run(`models import ${write('after.json', gemini(6e-6))}`);
  assert.deepEqual([(await listed(GEMINI)).prices.input, (await listed(GEMINI)).origin], ['6', 'imported']);
});

test('prices by the piece are set by command, and stay when prices of tokens are imported', async () => {
  const priced = 'models pin google gemini-2.5-pro --price 7/20,image=0.04 --price inputImage=9,webSearch=0.035';
  const pinned = await cli.run(priced);
  assert.match(pinned.out, /input 7, output 20, inputImage 9, webSearch 0\.035, image 0\.04\.$/);
  await cli.run('models pin google gemini-2.5-pro --off');
  for (const input of [6e-6, 5e-6, 6e-6]) {
    const { code, out } = await cli.run(`models import ${write('tokens.json', gemini(input))}`);
    assert.equal(code, 0);
    assert.match(out, /kept: (cacheRead, )?inputImage, webSearch, image$/m);
    const { prices } = await listed(GEMINI);
    assert.deepEqual([prices.webSearch, prices.units, prices.inputImage], ['0.035', { image: '0.04' }, '9']);
  }
  for (const wrong of ['--price pixel=1', '--price image=1e-3', '--price 1/2,3/4', '--price inputImage=9'])
    assert.equal((await cli.run(`models pin google gemini-2.5-pro ${wrong}`)).code, 2, wrong);
});

test('the prices of the configuration come first', async () => {
  const own = { prices: [{ provider: 'scripted', model: 'scripted-1', input: '3', output: '9' }] };
  await cli.run(`models import ${write('own.json', own)}`);
  const { origin, prices } = await listed('scripted/model');
  assert.deepEqual([origin, prices.input], ['configured', '1']);
});

test('a table says that the configuration comes first, where it does, and a pin without effect is refused', async () => {
  const [target] = (await ask('GET', `/model-prices?model=${encodeURIComponent(OPEN_MODEL)}`)).data;
  assert.equal(target.origin, 'configured');
  const rows = { prices: [{ provider: 'scripted', model: target.upstream_model, input: '2', output: '9' }] };
  const file = write('configured.json', rows);
  const diff = await cli.run(`models diff ${file}`);
  assert.match(diff.out, /scripted .* no effect: configured/);
  assert.match(diff.notes, /1 price list would change \(1 without effect, because the configuration has a price\)/);
  const pinned = await cli.run(`models pin scripted ${target.upstream_model} --price 2/9`);
  assert.equal(pinned.code, 1);
  assert.match(
    pinned.notes,
    /settings of scripted state a price.*turnpike providers update scripted --models … --price/,
  );
  assert.deepEqual((await listed(OPEN_MODEL)).prices, target.prices);
  const demo = (await listed('demo/image')).prices;
  const misnamed = await cli.run('models pin demo demo/image');
  assert.match(misnamed.notes, /no model demo\/image at demo\. The model demo\/image is named image there/);
  const own = await cli.run('models pin demo image --price image=0.02');
  assert.deepEqual([own.code, own.out], [1, '']);
  assert.match(own.notes, /image brings its own price at demo, which cannot be pinned/);
  assert.deepEqual((await listed('demo/image')).prices, demo);
  assert.equal((await ask('GET', '/audit?limit=50&everywhere=true')).data[0].action, 'model_price.import');
  const other = await cli.run(`models diff ${write('built-in.json', gemini(9e-6))}`);
  assert.doesNotMatch(other.out + other.notes, /no effect|without effect/);
});

test('a wrong table changes nothing, and says where it is wrong', async () => {
  const before = await listed(GEMINI);
  for (const [name, table, expected] of [
    ['text.json', 'prices', /text\.json is no price table: it is not JSON/],
    ['negative.json', gemini(-1), /gemini\/gemini-2\.5-pro has something that is no price: -1/],
    ['unit.json', gemini(6), /absurd price for input/],
    ['factor.json', gemini(6.6e-5), /changes by more than 10 times: input from 6 to 66\. Nothing was changed/],
    ['free.json', gemini(0), /would be free: input costs 6 now/],
  ] as const) {
    const { code, notes } = await cli.run(`models import ${write(name, table)}`);
    assert.notEqual(code, 0, name);
    assert.match(notes, expected);
  }
  assert.deepEqual(await listed(GEMINI), before);
  const diff = await cli.run(`models diff ${write('factor.json', gemini(6.6e-5))}`);
  assert.match(diff.out, /changes by more than 10 times/);
  assert.equal((await cli.run(`models import factor.json --allow-suspicious`)).code, 0);
  assert.equal((await listed(GEMINI)).prices.input, '66');
  for (const source of ['missing.json', 'http://127.0.0.1:9/table.json', 'ftp://127.0.0.1/table.json'])
    assert.notEqual((await cli.run(`models diff ${source}`)).code, 0, source);
  for (const wrong of ['no-such-model', 'gemini-2.5-pro --price cheap', 'gemini-2.5-pro --price-version 999999'])
    assert.notEqual((await cli.run(`models pin google ${wrong}`)).code, 0, wrong);
});
