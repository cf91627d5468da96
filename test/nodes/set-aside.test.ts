/**
 * Goal: an operator sees which settlements the database refuses, why, and sends them again once the cause is removed; then each is charged,
 * once. Method: a node on a real server with a trigger that refuses, and the command on the folder of the node.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { turnpike } from '../cli/process.ts';
import { chatBody, openGateway, PATHS } from '../support/open-gateway.ts';
import { execute } from '../support/postgres/database.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { startNodes, type TestNodes } from '../support/start-nodes.ts';

const [server] = serverNames;
/** As a check that somebody added, or a value that a newer version writes. */
const REFUSE = `create function refuse() returns trigger language plpgsql as
  $$ begin raise 'the column is too small for this' using errcode = '22003'; end $$;
  create trigger refusing before insert on settlements for each row execute function refuse()`;
const TAKE = 'drop trigger refusing on settlements';

describe('a node whose settlements are refused', { skip: server === undefined }, () => {
  let nodes: TestNodes;
  let folder: string;
  before(async () => {
    nodes = await startNodes(1, server ?? 18, { durability: 'process', billing: { firstRunCredit: '10' } });
    folder = mkdtempSync(join(tmpdir(), 'turnpike-command-'));
    const file = { ...nodes.fileOf('a-command'), dataFolder: nodes.nodes[0]?.dataFolder };
    writeFileSync(join(folder, 'turnpike.yaml'), JSON.stringify(file));
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await nodes.close();
  });

  const call = async () => {
    const headers = { authorization: `Bearer ${nodes.key}` };
    const answer = await nodes.nodes[0]?.post(PATHS['openai-chat'], chatBody(false), headers);
    assert.equal(answer?.status, 200, (await answer?.text()) ?? 'there is no node');
  };
  const balance = async () => {
    const { out } = await turnpike(folder, 'balance', 'show', '--json');
    return (JSON.parse(out) as { data: { balance: number } }).data.balance;
  };

  test('they are listed with the reason, are not charged, and are once they are sent again', async () => {
    const nothing = await turnpike(folder, 'nodes', 'set-aside');
    assert.deepEqual([nothing.code, nothing.out.startsWith('Nothing is set aside')], [0, true], nothing.notes);
    await execute(nodes.database.url, REFUSE);
    await call();
    await call();
    assert.equal(await balance(), 10);
    const listed = await turnpike(folder, 'nodes', 'set-aside');
    const [header, ...rows] = listed.out.split('\n');
    assert.match(header ?? '', /^CALL +ACCOUNT +ADMITTED \(UTC\) +CHARGE \(USD\) +REASON$/);
    assert.equal(rows.length, 2, listed.out);
    for (const row of rows) assert.match(row, /^gen-\w+ +1 +\S+ \S+ +0\.00001 +the column is too small for this$/);

    assert.match(
      (await turnpike(folder, 'doctor')).out,
      /^warn {2}journal: 2 settlements that the database refused; `.* nodes set-aside` lists them/m,
    );
    const again = await turnpike(folder, 'nodes', 'set-aside', '--send-again');
    assert.equal(again.code, 1);
    assert.match(again.out, /^Sent 2 again, and the database refused 2 of them/);
    await execute(nodes.database.url, TAKE);
    const sent = await turnpike(folder, 'nodes', 'set-aside', '--send-again', '--json');
    assert.equal(sent.code, 0, sent.notes);
    assert.deepEqual(JSON.parse(sent.out), { data: { sent: 2, refused: 0, answered: true } });
    assert.equal(await balance(), 9.99998);
    assert.match((await turnpike(folder, 'ledger', 'verify')).out, /^The ledger is correct: .* 2 settlements/);
    assert.match((await turnpike(folder, 'nodes', 'set-aside')).out, /^Nothing is set aside/);
    assert.ok(nodes.nodes[0]?.log.some((line) => line.includes('"refused_settlements_taken"')));
  });

  test('of a node that does not run they are read from its folder, and its start is what sends them', async () => {
    await execute(nodes.database.url, REFUSE.replace('create function', 'create or replace function'));
    await call();
    assert.ok((await balance()) > 0);
    await nodes.nodes[0]?.app.close();
    const listed = await turnpike(folder, 'nodes', 'set-aside', '--json');
    const { data, total_count: count } = JSON.parse(listed.out);
    assert.deepEqual([count, data.length, data[0].charge, data[0].reason], [1, 1, 0.00001, null], listed.notes);
    const refused = await turnpike(folder, 'nodes', 'set-aside', '--send-again');
    assert.equal(refused.code, 1);
    assert.match(
      refused.notes,
      /^turnpike: No node runs on \S+\. Start it \(`.*serve`\): it sends what is set aside once more/,
    );
  });
});

test('if calls wait for the database, the caller of a refused one gets an error instead of the end', {
  skip: server === undefined,
}, async () => {
  const nodes = await startNodes(1, server ?? 18);
  try {
    await execute(nodes.database.url, REFUSE);
    const [node] = nodes.nodes;
    assert.ok(node !== undefined);
    const answer = await node.post(PATHS['openai-chat'], chatBody(false), { authorization: `Bearer ${nodes.key}` });
    const { error } = (await answer.json()) as { error: { code: string } };
    assert.deepEqual([answer.status, error.code], [503, 'ledger_unavailable']);
    const listed = await node.app.control.inject({ method: 'GET', url: '/control/api/nodes/set-aside' });
    assert.equal(listed?.json().total_count, 1);
  } finally {
    await nodes.close();
  }
});

test('one server with SQLite has set nothing aside, and a folder without a journal says so', async () => {
  const gateway = await openGateway({});
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-command-'));
  const write = (dataFolder: string) => writeFileSync(join(folder, 'turnpike.yaml'), JSON.stringify({ dataFolder }));
  try {
    write(gateway.dataFolder);
    const served = await turnpike(folder, 'nodes', 'set-aside');
    assert.equal(served.code, 1);
    assert.match(served.notes, /^turnpike: No node runs in this process: .*nothing is set aside\.$/);
    write(join(folder, 'data'));
    const empty = await turnpike(folder, 'nodes', 'set-aside');
    assert.deepEqual([empty.code, /There is no journal in \S+: no node has run/.test(empty.notes)], [1, true]);
  } finally {
    rmSync(folder, { recursive: true });
    await gateway.close();
  }
});
