/**
 * Goal: `--json` prints stable fields, in a stable order, with every digit; and a command finds the one key that matches, or none. Method:
 * `runCli` over the control plane with services in memory.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { controlOf } from '../../../test/support/control-plane.ts';
import { openFixture, record } from '../../../test/support/control-services.ts';
import { commandRunner } from '../../../test/support/run-commands.ts';
import { accountId, generationId } from '../../core/ids.ts';
import { nanoUsd } from '../../core/money.ts';
import { controlSocketPath } from '../../storage/folder/control-socket.ts';

async function openBench() {
  const fixture = await openFixture();
  const runner = commandRunner({ control: controlOf(fixture.services), now: () => fixture.clock.now() });
  return { ...fixture, ...runner };
}

const KEY =
  'id root_id label name kind status disabled project account created_at created_by expires_at retiring_at revoked_at spent limits permissions cache_seconds origins';
const PROJECT = 'id name account created_at archived_at spent limits permissions';
const ACCOUNT = 'id name billing_mode created_at closed_at balance spent limits permissions rates';
const BALANCE = 'account billing_mode balance available held credited charged';
const ENTRY = 'id at account_id kind amount reference call note';

/** The names of the fields of an answer and of its rows, in order: `data[id name] total_count`. */
function shapeOf(text: string): string {
  const namesOf = (row: object) => Object.keys(row).join(' ');
  return Object.entries(JSON.parse(text) as Record<string, unknown>)
    .map(([name, value]) => {
      if (Array.isArray(value)) return typeof value[0] === 'object' ? `${name}[${namesOf(value[0])}]` : name;
      return typeof value === 'object' && value !== null ? `${name}{${namesOf(value)}}` : name;
    })
    .join(' ');
}

test('each answer has its documented fields', async () => {
  const { run, ledger, clock } = await openBench();
  const settlement = { ...record(clock.now(), 3_000_000_000n), hold: nanoUsd(3_000_000_000n) };
  await ledger.commit([{ type: 'settlement', settlement, hadHold: false, replay: null }]);
  const cases: readonly (readonly [string, string])[] = [
    ['keys create --name ci --json', `data{${KEY}} key same_name`],
    ['keys list --json', `data[${KEY}] total_count`],
    ['keys update ci --rpm 5 --json', `data{${KEY}} predecessors same_name`],
    ['keys rotate ci --json', `data{${KEY}} retiring{${KEY}} key`],
    ['keys disable 2 --json', `data{${KEY}} predecessors[id label status] same_name`],
    ['keys revoke 2 --json', `data{${KEY}} predecessors[id label status] made`],
    ['projects create bots --json', `data{${PROJECT}}`],
    ['projects list --json', `data[${PROJECT}] total_count`],
    ['projects update bots --rpd 5 --json', `data{${PROJECT}}`],
    ['projects archive bots --json', `data{${PROJECT}}`],
    ['accounts list --json', `data[${ACCOUNT}] total_count`],
    ['accounts update Default --rpm 5 --json', `data{${ACCOUNT}}`],
    ['balance show --json', `data{${BALANCE}}`],
    ['balance add 5 --reference a --json', `data{${ENTRY}} is_new balance{${BALANCE}}`],
    [`balance refund ${generationId(settlement.callId)} 1 --json`, `data{${ENTRY}} is_new balance{${BALANCE}}`],
    ['balance entries --json', `data[${ENTRY}]`],
    [
      'providers list --json',
      'data[name kind display_name origin calls_to proxy dialects models source is_enabled own_credentials_only problem health] total_count',
    ],
    ['providers test mine --json', 'data[provider origin ok status models duration_ms problem credentials]'],
    ['nodes --json', 'shared data'],
    ['ledger seal 2026-10 --json', 'data{month accounts settlements entries archive was_sealed}'],
    ['backup copy --json', 'data{folder files bytes secrets rest}'],
    ['ledger adopt --json', 'data{nodes returned}'],
  ];
  for (const [line, expected] of cases) {
    const { code, out, notes } = await run(line);
    assert.equal(code, 0, `${line}: ${notes}`);
    assert.equal(shapeOf(out), expected, line);
  }
});

test('money keeps its digits in JSON, even if a JavaScript number cannot hold them', async () => {
  const { run } = await openBench();
  const digits = '9007199.254740993';
  assert.match((await run(`keys create --budget day=${digits} --json`)).out, /"day":9007199\.254740993\}/);
  assert.match((await run('keys list --json')).out, /"day":9007199\.254740993\}/);
  const added = (await run(`balance add ${digits} --json`)).out;
  assert.match(added, /"amount":9007199\.254740993,.*"available":9007199\.254740993,/);
  for (const line of ['balance show', 'accounts list', 'balance entries'])
    assert.match((await run(`${line} --json`)).out, /:9007199\.254740993,/, line);
});

test('--lines limits the entries that are listed, and --before continues from an entry', async () => {
  const { run, ledger } = await openBench();
  for (let each = 1; each <= 250; each += 1)
    ledger.posted.push({
      ...{ id: each, at: each, accountId: accountId(1), kind: 'topup', amount: nanoUsd(1n) },
      ...{ callId: null, reference: `r${each}`, note: null },
    } as (typeof ledger.posted)[number]);
  const listed = async (line: string) => {
    const { data } = JSON.parse((await run(`balance entries ${line} --json`)).out);
    return (data as readonly { id: number }[]).map(({ id }) => id);
  };
  const all = await listed('--lines 230');
  assert.deepEqual([all.length, all[0], all.at(-1)], [230, 250, 21]);
  assert.equal((await listed('--lines 1000')).length, 250);
  assert.deepEqual(await listed('--lines 2 --before 5'), [4, 3]);
  assert.equal((await listed('--before 5')).length, 4);
});

test('a key is named by id, label or name; a name that is another key’s id is a conflict', async () => {
  const { run } = await openBench();
  for (const name of ['a', '1', 'b']) await run(`keys create --name ${name}`);
  const several = await run('keys disable 1');
  assert.deepEqual([several.code, several.notes], [1, 'turnpike: Several keys match; use one of these ids: 1, 2.']);
  const { data } = JSON.parse((await run('keys list --json')).out);
  assert.match((await run(`keys disable ${data[2].label}`)).out, /^Key 3 "b"/);
  assert.match((await run('keys revoke a')).out, /^Key 1 "a"/);
  // A revoked key is found only if no other matches: revoking twice changes nothing.
  assert.match((await run('keys revoke a')).out, /^Key 1 "a" .* revoked\.$/);
  assert.match((await run('keys disable 1')).out, /^Key 2 "1"/);
  assert.equal((await run('keys enable a')).notes, 'turnpike: Key 1 is permanently revoked.');
  assert.equal((await run('keys update c --rpm 1')).notes, 'turnpike: No key has this id, label or name.');
});

test('of a key and its successor, a name changes the successor, and revokes neither', async () => {
  const { run, clock } = await openBench();
  await run('keys create --name ci');
  await run('keys rotate ci --grace 1h');
  assert.match((await run('keys update ci --rpm 5')).out, /^Key 2 "ci"/);
  assert.match((await run('keys revoke ci')).notes, /use one of these ids: 1, 2\.$/);
  clock.advance(3_600_000);
  assert.match((await run('keys revoke ci')).out, /^Key 2 "ci"/);
});

test('a server of another version is reported', async () => {
  const { run, cwd } = await openBench();
  const other = createServer((_request, response) => response.writeHead(404).end('{"error":{"message":"no"}}'));
  await new Promise<void>((resolve) => other.listen(controlSocketPath(join(cwd, 'data')), resolve));
  try {
    const { code, notes } = await run('keys list');
    assert.equal(code, 1);
    assert.match(notes, /^turnpike: The server running on \S+ has a different version; restart it first\.$/);
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
});
