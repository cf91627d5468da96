/**
 * Goal: monthly statements are printed with every digit, in pages. Method: `runCli` over a control plane whose route records its requests.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlOf } from '../../../../test/support/control-plane.ts';
import { openFixture } from '../../../../test/support/control-services.ts';
import { commandRunner } from '../../../../test/support/run-commands.ts';
import { readExact } from '../../output.ts';

const ANSWER = `{"data":[{"month":"2026-11","from":"2026-11-01T00:00:00.000Z","to":"2026-12-01T00:00:00.000Z","opening":0,
  "topups":9007199.254740993,"promos":0,"adjustments":-1.5,"refunds":0.000000001,"charges":-0.1,"closing":9007197.654740994,"sealed":false},
  {"month":"2026-10","from":"2026-10-01T00:00:00.000Z","to":"2026-11-01T00:00:00.000Z","opening":0,"topups":null,"promos":null,
  "adjustments":null,"refunds":null,"charges":null,"closing":0,"sealed":true}],"next_cursor":"20697.0"}`;

async function run(line: string) {
  const fixture = await openFixture();
  const asked: unknown[] = [];
  const control = controlOf(fixture.services, {
    listMonths: (_context, { query }: { readonly query: object }) => {
      asked.push({ ...query });
      return readExact(ANSWER);
    },
  });
  const runner = commandRunner({ control, now: () => fixture.clock.now() });
  return { asked, ...(await runner.run(line)) };
}

test('each month is a line with every digit, and `-` for sums that were not kept', async () => {
  const { code, asked, out, notes } = await run('balance months');
  assert.equal(code, 0);
  assert.deepEqual(asked, [{ limit: 12 }]);
  const [, november, october] = out.split('\n').map((line) => line.split(/ {2,}/));
  assert.deepEqual(november, [
    '2026-11',
    '0',
    '9007199.254740993',
    '0',
    '-1.5',
    '0.000000001',
    '-0.1',
    '9007197.654740994',
  ]);
  assert.deepEqual(october, ['2026-10', '0', '-', '-', '-', '-', '-', '0', 'sealed']);
  assert.match(notes, /--cursor 20697\.0/);
});

test('the account is named by id or name, and a cursor continues the list', async () => {
  for (const account of ['1', 'Default'])
    assert.deepEqual((await run(`balance months --account ${account} --months 60 --cursor 20697.-5`)).asked, [
      { account: 1, limit: 60, cursor: '20697.-5' },
    ]);
  assert.equal((await run('balance months --account Nobody')).code, 1);
  assert.equal((await run('balance months --months 61')).code, 2);
  assert.equal((await run('balance months --json')).out, JSON.stringify(readExact(ANSWER)));
});
