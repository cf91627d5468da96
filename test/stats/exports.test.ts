/**
 * Goal: an export contains everything, with the page's total, and a failed one says so. Method: a whole
 * gateway with a scripted provider, read as a program with a management key reads it.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { control } from '../support/control.ts';
import { chatBody, type OpenBench, openBench } from '../support/open-gateway.ts';

let bench: OpenBench;
let managementKey: string;
before(async () => {
  bench = await openBench({ billing: { mode: 'prepaid', firstRunCredit: '5' } });
  const body = { name: '=cmd();=cmd()', kind: 'management' };
  const made = await control(bench.dataFolder, 'POST', '/control/api/keys?account=1', body);
  managementKey = (made.body as { key: string }).key;
  for (let call = 0; call < 3; call += 1) {
    const recorded = bench.nextRecord();
    await (await bench.post('/api/v1/chat/completions', chatBody(false))).arrayBuffer();
    await recorded;
  }
});
after(() => bench.close());

async function get(path: string): Promise<string> {
  const answer = await fetch(`${bench.url}/api/v1${path}`, { headers: { authorization: `Bearer ${managementKey}` } });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return text;
}

async function table(path: string): Promise<string[]> {
  const text = await get(`${path}${path.includes('?') ? '&' : '?'}format=csv`);
  assert.ok(text.endsWith('\r\n'));
  return text.slice(0, -2).split('\r\n');
}

/** An amount as it is written: parsing it would make a float. */
function literal(json: string, name: string): string {
  return new RegExp(`"${name}":([\\d.]+)`).exec(json)?.[1] ?? assert.fail(`there is no ${name}`);
}

test('the ledger’s total is the balance', async () => {
  const balance = literal(await get('/balance'), 'balance');
  const lines = await table('/ledger');
  assert.equal(lines.length, 1 + 4 + 1);
  assert.equal(lines.at(-1), `total,,${balance},,,,,,,4 rows`);
});

test('the total of consumption is that of the page', async () => {
  const day = 86_400_000;
  const time = `from=${new Date(Date.now() - day).toISOString()}&to=${new Date(Date.now() + day).toISOString()}`;
  const spend = literal(await get(`/usage?${time}`), 'spend');
  for (const grouping of ['none', 'model', 'key', 'project', 'provider']) {
    const lines = await table(`/usage?${time}&group_by=${grouping}`);
    assert.ok(lines.at(-1)?.startsWith(`total,,,${spend},3,`), `${grouping}: ${lines.at(-1)}`);
  }
});

test('calls, keys and changes are tables too, without a formula', async () => {
  assert.match((await table('/calls')).at(-1) ?? '', /^total,3 calls,/);
  const keys = await table('/keys');
  assert.match(keys.at(-1) ?? '', /^total,2 keys,/);
  assert.ok(
    keys.some((line) => line.includes(`"'=cmd();'=cmd()"`)),
    keys.join('\n'),
  );
  assert.match((await table('/audit')).at(-1) ?? '', /^total,\d+ changes,/);
});
