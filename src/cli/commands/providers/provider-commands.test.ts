/**
 * Goal: providers and sealing keys can be managed from the command line without putting a secret on it. Method: `runCli` with a recording
 * terminal, over a control plane that records its requests.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { controlOf } from '../../../../test/support/control-plane.ts';
import { openFixture, troubled } from '../../../../test/support/control-services.ts';
import { commandRunner } from '../../../../test/support/run-commands.ts';
import type { OpenedApp } from '../../doors.ts';
import { type ProviderRow, stateOf } from './provider-row.ts';

const CANARY = 'sk-canary-0123456789';
const OFFERED = '/control/api/offered-models?include_unserved=false';
interface Asked {
  readonly method: unknown;
  readonly url: unknown;
  readonly payload?: unknown;
}

interface Served {
  readonly data?: object;
  /** As `/control/api/offered-models` lists them. */
  readonly models?: readonly object[];
  readonly servesUnpriced?: boolean;
}

function openBench(
  control: OpenedApp['control'] | null = null,
  { data: changes = {}, models = [], servesUnpriced = false }: Served = {},
) {
  const asked: Asked[] = [];
  const origin = 'https://api.openai.com';
  const calls_to = [`${origin}/v1/chat/completions`];
  const openai = { name: 'openai', display_name: 'OpenAI', origin, calls_to, models: 45 };
  const data = { ...openai, model_settings: [], ...changes };
  const recording = {
    inject: async (request: Asked) => {
      if (request.url === OFFERED)
        return {
          statusCode: 200,
          body: JSON.stringify({ data: models, next_cursor: null, serves_unpriced: servesUnpriced }),
        };
      asked.push(request);
      const isEnabled = (request.payload as { is_enabled?: boolean } | undefined)?.is_enabled ?? true;
      return { statusCode: 200, body: JSON.stringify({ data: { ...data, is_enabled: isEnabled } }) };
    },
  } as unknown as OpenedApp['control'];
  const environment = { PORT: '0', MY_KEY: ` ${CANARY}\n`, EMPTY: '' };
  return { ...commandRunner({ control: control ?? recording, now: () => 0, environment }), asked };
}

test('a provider is added with a credential from a variable or a file, which is not printed', async () => {
  const { cwd, run, asked } = openBench();
  writeFileSync(join(cwd, 'key.txt'), `${CANARY}\n`);
  const first = await run('providers add openai --key env:MY_KEY');
  assert.deepEqual(
    [first.code, first.out],
    [0, 'Provider openai (https://api.openai.com/v1/chat/completions) added, and serves 45 models.'],
  );
  await run(
    'providers add lab --origin http://10.0.0.5:8000 --key-file key.txt --dialects anthropic-messages,openai-chat --disabled',
  );
  assert.deepEqual(asked, [
    {
      method: 'POST',
      url: '/control/api/providers',
      payload: { name: 'openai', kind: 'openai', credential: CANARY, is_enabled: true },
    },
    {
      method: 'POST',
      url: '/control/api/providers',
      payload: {
        name: 'lab',
        kind: 'custom',
        origin: 'http://10.0.0.5:8000',
        credential: CANARY,
        dialects: ['anthropic-messages', 'openai-chat'],
        is_enabled: false,
      },
    },
  ]);
});

test('a secret on the command line is refused and not repeated; so is a missing one', async () => {
  const { run, asked } = openBench();
  const cases: [string, number, RegExp][] = [
    [`providers add openai --key ${CANARY}`, 2, /env:OPENAI_API_KEY/],
    ['providers add openai --key env:EMPTY', 1, /EMPTY is empty or missing/],
    ['providers add openai --key env:ABSENT', 1, /ABSENT is empty or missing/],
    ['providers add openai --key-file nowhere', 1, /cannot be read/],
    ['providers add openai --key env:MY_KEY --key-file x', 2, /not both/],
  ];
  for (const [line, code, message] of cases) {
    const answer = await run(line);
    assert.equal(answer.code, code, line);
    assert.match(answer.notes + answer.out, message);
    assert.ok(!(answer.notes + answer.out).includes(CANARY));
  }
  assert.deepEqual(asked, []);
});

test('models are added with their provider, all at one price', async () => {
  const { run, asked } = openBench();
  const line = 'providers add lab --origin http://10.0.0.5:8000 --models large,small --price 0.15/0.60';
  assert.equal((await run(line)).code, 0);
  const price = { input: '0.15', output: '0.60' };
  const [{ payload } = assert.fail('nothing was asked')] = asked;
  assert.deepEqual((payload as { model_settings: unknown }).model_settings, [
    { upstream: 'large', price },
    { upstream: 'small', price },
  ]);
  const known =
    'providers add azure --origin https://my.openai.azure.com --key env:MY_KEY --models a=b=openai/gpt-5.1,c';
  assert.equal((await run(known)).code, 0);
  assert.deepEqual((asked.pop()?.payload as { model_settings: unknown } | undefined)?.model_settings, [
    { upstream: 'a=b', id: 'openai/gpt-5.1', price: null },
    { upstream: 'c', price: null },
  ]);
  const seeing = 'providers add eye --origin http://10.0.0.5:8000 --models a --input-modalities text,image';
  assert.equal((await run(seeing)).code, 0);
  assert.deepEqual((asked[1]?.payload as { model_settings: unknown } | undefined)?.model_settings, [
    { upstream: 'a', price: null, input_modalities: ['text', 'image'] },
  ]);
  const drawing = `providers add eye --origin http://10.0.0.5:8000 --models a --price image=0.04,image/1024x1024=0.080 --price`;
  assert.equal((await run(`${drawing} 5/40`)).code, 0);
  assert.deepEqual((asked.at(-1)?.payload as { model_settings: unknown } | undefined)?.model_settings, [
    { upstream: 'a', price: { input: '5', output: '40', units: { image: '0.04', 'image/1024x1024': '0.080' } } },
  ]);
  assert.equal((await run(`${drawing} character=0.000015`)).code, 0);
  const [, spoken] = asked.slice(-2);
  assert.partialDeepStrictEqual(spoken?.payload, {
    model_settings: [{ price: { input: '0', output: '0', units: { character: '0.000015' } } }],
  });
  assert.equal((await run(`${seeing} --price 5/40,inputImage=8`)).code, 0);
  assert.partialDeepStrictEqual(asked.at(-1)?.payload, {
    model_settings: [{ price: { input: '5', output: '40', input_image: '8' } }],
  });
  for (const wrong of [
    '--price free,image=0.04 --models a',
    '--price 1/2,3/4 --models a',
    '--price image=1,image=2 --models a',
    '--price pixel=1 --models a',
    '--price image=-1 --models a',
    '--price image=1e-3 --models a',
    '--price image/auto=1 --models a',
    '--price cacheRead=1 --models a',
    '--output-modalities text',
    '--price 1',
    '--price -1/2 --models a',
    '--price free',
    '--models a=b',
    '--models =a/b',
  ])
    assert.equal((await run(`providers add lab --origin http://10.0.0.5:8000 ${wrong}`)).code, 2, wrong);
});

test('models without a price are reported as not served, with the command that sets one', async () => {
  const given = { id: null, name: null, context_length: null, output_cap: null, output_modalities: null };
  const setting = (upstream: string, more: object = {}) => ({ upstream, price: null, ...given, ...more });
  const target = (upstream: string, isPriced = false) => ({
    id: `lab7/${upstream}`,
    targets: [{ provider: 'lab7', upstream_model: upstream, price_per_million: isPriced ? {} : null }],
  });
  const origin = 'https://llm.example.com';
  const lab = { name: 'lab7', origin, calls_to: [`${origin}/v1/chat/completions`], models: 2 };
  const seeing = { input_modalities: ['text', 'image'] };
  const models = [target('x'), target('y'), { id: 'a/b', targets: [{ provider: 'other', price_per_million: null }] }];
  const data = { ...lab, model_settings: [setting('x', seeing), setting('y', seeing)] };
  const bench = openBench(null, { data, models });
  const path = join(import.meta.dirname, '../../../../bin/turnpike.js');
  for (const [line, outcome] of [
    ['providers add lab7 --origin https://llm.example.com/v1 --models x,y', 'added'],
    ['providers update lab7 --models x,y', 'updated'],
    ['providers enable lab7', 'enabled'],
  ] as const) {
    const { out, notes } = await bench.run(line);
    assert.equal(
      out,
      `Provider lab7 (https://llm.example.com/v1/chat/completions) ${outcome}, and serves no models yet: 2 have no price.`,
    );
    assert.ok(
      notes.includes(
        `${path} providers update lab7 --models x,y --input-modalities text,image --price 0.15/0.60 (or --price free)`,
      ),
      notes,
    );
  }
  const drawing = { ...data, model_settings: [setting('x', { output_modalities: ['image'] }), setting('y')] };
  const drawn = openBench(null, { data: drawing, models });
  assert.match(
    (await drawn.run('providers enable lab7')).notes,
    /in USD an image: .* --output-modalities image --price image=0\.04 \(or per million tokens --price 0\.15\/0\.60, or --price free\)/,
  );
  assert.doesNotMatch((await bench.run('providers disable lab7')).notes, /price/);

  const free = await openBench(null, { data, models, servesUnpriced: true }).run('providers enable lab7');
  assert.equal(
    free.out + free.notes,
    'Provider lab7 (https://llm.example.com/v1/chat/completions) enabled, and serves 2 models.',
  );

  // The command would remove settings that only the dashboard can set.
  const priced = { ...lab, model_settings: [setting('x'), setting('y', { price: 'free' })] };
  const mixed = await openBench(null, { data: priced, models: [target('x'), target('y', true)] }).run(
    'providers enable lab7',
  );
  assert.match(mixed.out, /enabled, and serves 1 model; 1 has no price\.$/);
  assert.equal(mixed.notes, 'Not served until you set a price in the dashboard: x');
});

test('a provider is disabled, enabled and removed', async () => {
  const { run, asked } = openBench();
  assert.match((await run('providers disable openai')).out, /disabled\.$/);
  assert.match((await run('providers enable openai')).out, /enabled, and serves 45 models\.$/);
  assert.equal((await run('providers remove openai')).out, 'Provider openai removed.');
  assert.deepEqual(
    asked.map(({ method, url }) => [method, url]),
    [
      ['PATCH', '/control/api/providers/openai'],
      ['PATCH', '/control/api/providers/openai'],
      ['DELETE', '/control/api/providers/openai'],
    ],
  );
});

test('a check and a rotation report how much is sealed, name values that cannot be opened, and fail if there are any', async () => {
  const { services } = await openFixture();
  const { run } = openBench(controlOf(services));
  for (const line of ['credentials check', 'credentials rotate']) {
    const { code, out } = await run(line);
    assert.equal(code, 1);
    assert.match(out, /^Key 0123456789abcdef: 1 of 2 cannot be decrypted: provider:lost; .*, 1 older key$/);
  }
  const json = await run('credentials check --json');
  assert.deepEqual(JSON.parse(json.out).data.unopened, ['provider:lost']);
});

test('the list shows which providers’ calls fail and why', async () => {
  const { services } = await openFixture();
  const { run } = openBench(
    controlOf({ ...services, healthOf: (name) => troubled(name === 'mine' ? 'dead' : 'good') }),
  );
  const { out } = await run('providers list');
  assert.match(
    out,
    /^mine .* dead: the last 6 calls failed \(7 of 8 in the last 5 minutes\)\. It answered HTTP 500\.$/m,
  );
  assert.match(out, /^broken .* good$/m);
  assert.equal(JSON.parse((await run('providers list --json')).out).data[0].health.state, 'dead');
});

test('a provider with a rejected and a ready credential is not called dead', () => {
  const credential = (state: 'ready' | 'rejected') => ({
    ...{ id: null, hint: null, state, rejected_for: [], rests_until: null },
  });
  const state = (code: string, ...states: readonly ('ready' | 'rejected')[]) =>
    stateOf({
      ...{ is_enabled: true, problem: null, own_credentials_only: false, credentials: states.map(credential) },
      health: {
        ...{ state: 'dead', good: 0, failed: 5, limited: 0, failed_in_a_row: 5 },
        last_failure: { code, reason: 'It rejects the credential.' },
      },
    } as unknown as ProviderRow);
  const REJECTED = 'upstream_credential_rejected';
  assert.equal(state(REJECTED, 'rejected', 'ready'), '1 of 2 credentials rejected; calls use the others');
  assert.match(state(REJECTED, 'rejected', 'rejected'), /^dead: /);
  assert.match(state('bad_gateway', 'rejected', 'ready'), /^dead: /);
});

/** A control plane with one provider, which serves nothing until models are added. */
function listing(test: { readonly problem: string | null; readonly model_names: readonly string[] }, kind = 'custom') {
  const asked: Asked[] = [];
  let settings: readonly unknown[] = [];
  const control = {
    inject: async (request: Asked) => {
      if (request.url === OFFERED)
        return { statusCode: 200, body: JSON.stringify({ data: [], next_cursor: null, serves_unpriced: false }) };
      asked.push(request);
      const isTest = String(request.url).endsWith('/test');
      settings = (request.payload as { model_settings?: unknown[] } | undefined)?.model_settings ?? settings;
      const origin = 'http://10.0.0.5';
      const shown = { models: settings.length, model_settings: settings, is_enabled: true };
      const provider = { name: 'lab', kind, display_name: 'lab', origin, calls_to: [], ...shown };
      const data = isTest ? { models: test.model_names.length, ...test } : provider;
      return { statusCode: 200, body: JSON.stringify({ data }) };
    },
  } as unknown as OpenedApp['control'];
  return { ...openBench(control), asked };
}

test('a provider that serves no models is asked for its list, and the next command is printed', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `model-${index}`);
  const { run, asked } = listing({ problem: null, model_names: names });
  const added = await run('providers add lab --kind custom --origin http://10.0.0.5');
  assert.equal(added.code, 0);
  assert.match(added.out, /serves 0 models/);
  assert.match(added.notes, /lists 30: model-0, model-1, .*, model-11, …$/m);
  assert.match(added.notes, /turnpike\S* providers update lab --models model-0 --price 0\.15\/0\.60/);
  assert.equal(asked.at(-1)?.url, '/control/api/providers/lab/test');
  const updated = await run('providers update lab --models model-0,model-1 --price free');
  assert.deepEqual([updated.code, updated.notes], [0, '']);
  assert.match(updated.out, /updated, and serves 2 models/);
  assert.deepEqual(asked.at(-1)?.payload, {
    model_settings: [
      { upstream: 'model-0', price: 'free' },
      { upstream: 'model-1', price: 'free' },
    ],
  });
  assert.equal((await run('providers update lab')).code, 2);
});

test('if the provider cannot list its models, the problem is printed with what to do', async () => {
  const failing = listing({ problem: 'Connection refused.', model_names: [] });
  const { notes } = await failing.run('providers add lab --kind custom --origin http://10.0.0.5');
  assert.match(notes, /connection test failed: Connection refused\./);
  assert.match(notes, /providers update lab --models <name>,<name>/);
  const silent = listing({ problem: null, model_names: [] });
  assert.match((await silent.run('providers add lab --kind custom --origin http://10.0.0.5')).notes, /lists none/);
});

test('a server that sends no bill is asked what runs there, and serves it; later more of it, if asked for', async () => {
  const names = ['llama3.3:70b', 'qwen3:8b'];
  const { run, asked } = listing({ problem: null, model_names: names }, 'ollama');
  const added = await run('providers add ollama');
  assert.deepEqual([added.code, added.notes], [0, 'It lists 2, served from now on: llama3.3:70b, qwen3:8b']);
  assert.match(added.out, /added, and serves 2 models/);
  assert.deepEqual(
    asked.map(({ method, url, payload }) => [method, url, payload]),
    [
      ['POST', '/control/api/providers', { name: 'ollama', kind: 'ollama', is_enabled: true }],
      ['POST', '/control/api/providers/lab/test', undefined],
      ['PATCH', '/control/api/providers/lab', { model_settings: names.map((upstream) => ({ upstream })) }],
    ],
  );
  assert.match((await run('providers update lab --listed')).notes, /It lists no other models/);
  names.push('new');
  assert.match((await run('providers update lab --listed')).notes, /It lists 3, served from now on: new$/);
  assert.deepEqual(asked.at(-1)?.payload, { model_settings: names.map((upstream) => ({ upstream })) });
});

test('a server that does not answer is added all the same, with the command for later', async () => {
  const { run } = listing({ problem: 'Connection refused.', model_names: [] }, 'vllm');
  const { code, notes } = await run('providers add vllm');
  assert.equal(code, 0);
  assert.match(notes, /connection test failed: Connection refused\./);
  assert.match(notes, /Once it has models: \S* providers update lab --listed/);
  // One that sends a bill is only advised.
  const billed = listing({ problem: null, model_names: ['a'] }, 'chutes');
  assert.match((await billed.run('providers add chutes --key env:MY_KEY')).notes, /--models a --price/);
});
