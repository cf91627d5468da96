/**
 * Goal: aliases are made, changed and deleted at every door, with clear refusals. Method: the real program with two models; requests at the
 * control socket and the dashboard, and commands.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ask, type Json } from '../dashboard/ask.ts';
import { type OpenBench, openBenchWith, scriptedProvider } from '../support/open-gateway.ts';
import { commandRunner } from '../support/run-commands.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { answerWell } from '../support/upstream-scripts.ts';

const ONE = 'scripted/model';
const TWO = 'scripted/second';
const upstream = await startScriptedUpstream(answerWell);
const first = scriptedProvider('scripted', upstream.origin);
const bench: OpenBench = await openBenchWith(upstream, {
  providers: [first, { ...first, name: 'spare', models: models() }],
  aliases: [{ name: 'fixed', targets: [{ model: ONE }] }],
});
after(() => bench.close());
const socket = join(bench.dataFolder, 'control.sock');
const control = (method: string, path: string, body?: object) =>
  ask(socket, { method, path: `/control/api${path}`, body });
const { run } = commandRunner({ control: bench.app.control, now: Date.now });

test('an alias is created for an account, a project and the installation, and is listed with what it leads to', async () => {
  const made = await control('POST', '/aliases', {
    name: 'fast',
    targets: [
      { model: ONE, weight: 95 },
      { model: TWO, provider: 'spare', weight: 5 },
    ],
  });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(
    { ...made.json.data, created_at: '', updated_at: '' },
    {
      id: 1,
      name: 'fast',
      choice: 'key',
      targets: [
        { model: ONE, provider: null, weight: 95, is_served: true },
        { model: TWO, provider: 'spare', weight: 5, is_served: true },
      ],
      scope: 'account',
      account: { id: 1, name: 'Default' },
      project: null,
      source: 'stored',
      is_shadowed: false,
      created_at: '',
      updated_at: '',
    },
  );
  const targets = [{ model: ONE }];
  const ofProject = await control('POST', '/aliases', { name: 'fast', choice: 'random', project: 'Default', targets });
  assert.deepEqual([ofProject.json.data.scope, ofProject.json.data.project.name], ['project', 'Default']);
  const shared = await control('POST', '/installation-aliases', { name: 'fixed', targets });
  assert.deepEqual([shared.json.data.scope, shared.json.data.is_shadowed], ['installation', true]);
  const { data } = (await control('GET', '/aliases')).json;
  assert.deepEqual(
    data.map(({ id, name, scope, source }: Json) => [id, name, scope, source]),
    [
      [null, 'fixed', 'installation', 'file'],
      [1, 'fast', 'account', 'stored'],
      [2, 'fast', 'project', 'stored'],
      [3, 'fixed', 'installation', 'stored'],
    ],
  );
  assert.deepEqual((await control('GET', '/all/aliases')).json.data, data);
});

test('weights are changed, and an alias is deleted once', async () => {
  const targets = [{ model: ONE, provider: null, weight: 1 }];
  const changed = await control('PATCH', '/aliases/1', { targets });
  assert.deepEqual(changed.json.data.targets, [{ ...targets[0], is_served: true }]);
  assert.equal(changed.json.data.choice, 'key');
  assert.deepEqual((await control('DELETE', '/aliases/2')).json, { data: { done: true } });
  assert.equal((await control('DELETE', '/aliases/2')).status, 404);
  assert.equal(
    (await control('PATCH', '/aliases/3', {})).status,
    404,
    'one of the installation is none of the account',
  );
  assert.equal((await control('PATCH', '/installation-aliases/1', {})).status, 404);
});

for (const [what, body, param, message] of [
  ['an id of a model', { name: ONE }, 'name', /is the id of a model, which always means that model/],
  ['an id that nobody serves here', { name: 'openai/gpt-5-mini' }, 'name', /is the id of a model/],
  ['another spelling of one', { name: 'anthropic/claude-sonnet-4.5' }, 'name', /is the id of a model/],
  ['a name with a suffix', { name: 'fast:floor' }, 'name', /a name begins with a letter or a digit/],
  [
    'another alias',
    { targets: [{ model: 'fixed' }] },
    'targets.0.model',
    /fixed is an alias, and an alias leads to models only/,
  ],
  ['itself', { name: 'loop', targets: [{ model: 'loop' }] }, 'targets.0.model', /no model has the id loop/],
  ['a bare name', { targets: [{ model: 'model' }] }, 'targets.0.model', /no model has the id model; use a whole id/],
  [
    'a model that is not served',
    { targets: [{ model: 'openai/gpt-5-mini' }] },
    'targets.0.model',
    /no provider that serves openai\/gpt-5-mini is configured/,
  ],
  [
    'a provider without the model',
    { targets: [{ model: TWO, provider: 'scripted' }] },
    'targets.0.provider',
    /scripted does not serve/,
  ],
  [
    'the same twice',
    { targets: [{ model: ONE }, { model: ONE, weight: 5 }] },
    'targets.1',
    /an earlier target is the same/,
  ],
  ['no weight at all', { targets: [{ model: ONE, weight: 0 }] }, 'targets', /at least one weight must be more than 0/],
] as const)
  test(`refused with the reason: ${what}`, async () => {
    const { status, json } = await control('POST', '/aliases', { name: 'new', targets: [{ model: ONE }], ...body });
    assert.deepEqual([status, json.error.param], [400, param], JSON.stringify(json));
    assert.match(json.error.message, message);
  });

test('a name is taken once in its scope, also by renaming', async () => {
  const targets = [{ model: ONE }];
  const again = await control('POST', '/aliases', { name: 'fast', targets });
  assert.deepEqual([again.status, again.json.error.param], [409, 'name']);
  const { id } = (await control('POST', '/aliases', { name: 'other', targets })).json.data;
  assert.equal((await control('PATCH', `/aliases/${id}`, { name: 'fast' })).status, 409);
  assert.equal((await control('PATCH', `/aliases/${id}`, { name: 'other' })).status, 200);
  assert.equal((await control('DELETE', `/aliases/${id}`)).status, 200);
});

test('commands create, list, change and delete aliases of each scope', async () => {
  const made = await run(`aliases create team/default --to ${ONE}=95 --to ${TWO}@spare=5 --account Default`);
  assert.equal(made.notes, '');
  assert.match(made.out, /^Alias (\d+) "team\/default" created: scripted\/model=95, scripted\/second@spare=5\.$/);
  const list = await run('aliases list --account 1');
  assert.match(list.out, /team\/default +Default +key +scripted\/model=95, scripted\/second@spare=5/);
  assert.doesNotMatch(list.out, /fixed/);
  assert.match((await run('aliases list')).out, /^file +fixed +key +scripted\/model=1$/m);
  const updated = await run('aliases update team/default --choice random --json');
  assert.deepEqual(JSON.parse(updated.out).data.choice, 'random');
  assert.match((await run(`aliases update team/default --to ${ONE},${TWO}=0`)).out, /model=1, scripted\/second=0\.$/);
  assert.match((await run(`aliases create quick --to ${ONE} --project Default`)).out, /created: scripted\/model=1\.$/);
  assert.match((await run(`aliases create all --to ${ONE}`)).out, /created/);
  assert.match((await run('aliases delete quick --project Default')).out, /"quick" deleted\.$/);
  for (const name of ['team/default', 'all']) assert.equal((await run(`aliases delete ${name}`)).code, 0);
  const refused = await run('aliases delete quick');
  assert.deepEqual([refused.code, refused.notes], [1, 'turnpike: No alias matches.']);
});

test('a command says what is wrong with it', async () => {
  for (const [words, code, notes] of [
    ['aliases create fast', 2, /needs --to <model>/],
    ['aliases update fast', 2, /needs --to or --choice/],
    [`aliases create fast --to ${ONE}=much`, 2, /the weight is not a whole number/],
    ['aliases create fast --to =5', 2, /is not a model/],
    [`aliases create x --to ${ONE} --choice always`, 2, /--choice is key or random/],
    [`aliases create ${ONE} --to ${TWO}`, 2, /is the id of a model/],
    ['aliases update fixed --choice key', 0, /^$/],
    ['aliases delete nothing', 1, /No alias matches/],
  ] as const) {
    const done = await run(words);
    assert.equal(done.code, code, `${words}: ${done.notes}`);
    assert.match(done.notes, notes, words);
  }
  assert.equal((await run('aliases delete fixed')).code, 0, 'the stored one of the installation');
  assert.match((await run('aliases delete fixed')).notes, /is in the configuration file; change it there/);
});

test('a command that makes or changes a name which the file hides says so', async () => {
  for (const words of [`aliases create fixed --to ${TWO}`, `aliases update fixed --to ${ONE}`])
    assert.match((await run(words)).out, /It is hidden by the file: /, words);
  assert.equal(JSON.parse((await run('aliases update fixed --choice random --json')).out).data.is_shadowed, true);
  assert.doesNotMatch((await run(`aliases create open --to ${ONE}`)).out, /hidden/);
  for (const name of ['fixed', 'open']) assert.equal((await run(`aliases delete ${name}`)).code, 0);
});

function models(): readonly object[] {
  const prices = { input: 1, output: 5 };
  return [
    { id: ONE, upstream: 'scripted-1', prices },
    { id: TWO, upstream: 'scripted-2', prices },
  ];
}
