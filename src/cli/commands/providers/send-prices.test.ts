/** Goal: a table of any size is imported as a whole or refused as a whole. Method: the real control plane with 2,500 models, tables in files. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type OpenBench, openBenchWith } from '../../../../test/support/open-gateway.ts';
import { type CommandRunner, commandRunner } from '../../../../test/support/run-commands.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../../../../test/support/scripted-upstream.ts';
import { answerWell } from '../../../../test/support/upstream-scripts.ts';

const MODELS = 2_500;
const names = Array.from({ length: MODELS }, (_, index) => `model-${index}`);

let upstream: ScriptedUpstream;
let bench: OpenBench;
let cli: CommandRunner;
before(async () => {
  upstream = await startScriptedUpstream(answerWell);
  bench = await openBenchWith(upstream, {
    providers: [
      {
        ...{ name: 'lab', kind: 'custom', origin: upstream.origin, credential: 'canary-1', dialects: ['openai-chat'] },
        models: names.map((name) => ({ upstream: name, id: `lab/${name}` })),
      },
    ],
  });
  cli = commandRunner({ control: bench.app.control, now: Date.now });
});
after(() => bench.close());

const priced = (inputOf: (index: number) => string) =>
  names.map((model, index) => ({ provider: 'lab', model, input: inputOf(index), output: '8' }));
const write = (prices: readonly object[]): string => {
  writeFileSync(join(cli.cwd, 'table.json'), JSON.stringify({ prices }));
  return 'table.json';
};
const inputs = async () => {
  const { out } = await cli.run('models list lab/ --json');
  const { data } = JSON.parse(out) as { data: { targets: { price_per_million: { prompt: string } }[] }[] };
  assert.equal(data.length, MODELS, 'every page of the list is read');
  return Map.groupBy(
    data.map(({ targets }) => targets[0]?.price_per_million.prompt ?? ''),
    (price) => price,
  );
};

test('a table of thousands of rows is imported, and the counts are those of all of it', async () => {
  const rows = [...priced(() => '2'), { provider: 'lab', model: 'of-nobody', input: '1', output: '1' }];
  const dry = await cli.run(`models import ${write(rows)} --dry-run`);
  assert.match(dry.notes, /2500 price lists would change; 0 unchanged, 0 pinned, 1 of models/);
  const done = await cli.run(`models import ${write(rows)}`);
  assert.equal(done.code, 0, done.notes);
  assert.match(done.notes, /2500 price lists changed; 0 unchanged, 0 pinned, 1 of models/);
  assert.equal((await inputs()).get('2')?.length, MODELS);
});

test('of thousands of rows only those that differ are sent again', async () => {
  const result = await cli.run(`models import ${write(priced((index) => (index % 500 === 0 ? '3' : '2')))}`);
  assert.match(result.notes, /5 price lists changed; 2495 unchanged/);
  assert.deepEqual([(await inputs()).get('3')?.length, (await inputs()).get('2')?.length], [5, MODELS - 5]);
});

test('a suspicious row at the end of thousands refuses all of them', async () => {
  const last = (index: number) => (index === MODELS - 1 ? '500' : '4');
  const refused = await cli.run(`models import ${write(priced(last))}`);
  assert.notEqual(refused.code, 0);
  assert.match(refused.notes, /lab model-2499 .*Nothing was changed/);
  assert.equal((await inputs()).get('4'), undefined);
  assert.equal((await cli.run(`models import ${write(priced(last))} --allow-suspicious`)).code, 0);
  assert.equal((await inputs()).get('4')?.length, MODELS - 1);
});
