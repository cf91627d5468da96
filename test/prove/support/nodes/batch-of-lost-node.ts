/**
 * Two nodes on one PostgreSQL. The one that runs a batch, and a call with an idempotency key, is cut off from the database, settles what runs in its
 * journal, is killed, and declared lost. The other node ends the batch, and serves the call again. Then the first one comes back with its journal:
 * nobody is charged for what it brings.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { asker, awaitEnd, CHAT, createBatch, inputOf, pause, results, upload } from '../../../batches/batch-fixture.ts';
import { chatBody, scriptedProvider } from '../../../support/open-gateway.ts';
import { createDatabase } from '../../../support/postgres/database.ts';
import { serverNames } from '../../../support/postgres/servers.ts';
import { startScriptedUpstream } from '../../../support/scripted-upstream.ts';
import { newInstallation, startServer } from '../../../support/serve-process.ts';
import { NODE_SECRETS } from '../../../support/test-storage.ts';
import { answerWell } from '../../../support/upstream-scripts.ts';
import { verifyClean } from '../verify-clean.ts';
import { LedgerDatabase } from './ledger-database.ts';
import { startTcpSwitch } from './tcp-switch.ts';

const LINES = 24;
const AT_ONCE = 8;
/** How long names and settlements take at most that nobody is notified of. */
const DONE_WITHIN_MS = 3_000;
const LATE_WITHIN_MS = 60_000;

/** Returns what to say of it; throws if something does not hold. */
export async function batchOfLostNode(): Promise<string> {
  await using closing = new AsyncDisposableStack();
  const [server] = serverNames;
  assert.ok(server);
  const database = await createDatabase(server);
  closing.defer(() => database.drop());
  const { port } = new URL(database.url);
  const network = await startTcpSwitch(Number(port || '5432'));
  closing.defer(() => network.close());
  let asked = 0;
  /** Requests that come after the first lines are answered once this says so. */
  const cut = Promise.withResolvers<void>();
  const upstream = await startScriptedUpstream(async (exchange) => {
    asked += 1;
    if (asked > AT_ONCE) await cut.promise;
    await answerWell(exchange);
  });
  closing.defer(() => upstream.close());
  const cuttable = new URL(database.url);
  cuttable.hostname = '127.0.0.1';
  cuttable.port = String(network.port);
  const file = {
    ...{ ...NODE_SECRETS, demo: false, durability: 'process' as const },
    pepper: randomBytes(32).toString('hex'),
    batches: { linesAtOnce: AT_ONCE },
    providers: [scriptedProvider('scripted', upstream.origin)],
  };
  const where = await newInstallation({ ...file, database: { url: cuttable.href }, nodes: { name: 'one' } });
  const one = await startServer(where);
  closing.defer(() => one.remove());
  const ask = asker(one.url, one.key);
  const bodies = Array.from({ length: LINES }, (_, number) => chatBody(false, `number ${number}`));
  const { id } = await createBatch(ask, await upload(ask, inputOf(bodies)));
  while (asked < 2 * AT_ONCE) await pause(10);
  // The batch is run by the first node by now.
  const two = await startServer(
    await newInstallation({ ...file, database: { url: database.url }, nodes: { name: 'two' } }),
  );
  closing.defer(() => two.remove());
  const keyed = (of: ReturnType<typeof asker>) =>
    of(CHAT, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'order-7' },
      body: JSON.stringify(chatBody(false, 'with a key')),
    });
  const first = keyed(ask);
  while (asked <= 2 * AT_ONCE) await pause(10);
  await pause(DONE_WITHIN_MS);
  network.cut();
  cut.resolve();
  assert.equal((await first).status, 200);
  await pause(DONE_WITHIN_MS);
  const exited = once(one.process, 'exit');
  one.process.kill('SIGKILL');
  await exited;

  const there = asker(two.url, one.key);
  const ended = await awaitEnd(there, id);
  assert.deepEqual(ended.request_counts, { total: LINES, completed: LINES, failed: 0 });
  const answers = await results(there, ended.output_file_id);
  assert.equal(new Set(answers.map((answer) => answer.custom_id)).size, LINES);
  const again = await keyed(there);
  assert.equal(again.status, 200);
  assert.equal(again.headers.get('idempotent-replayed'), null, 'nobody knows of the first call');
  const { settlements: before } = await inLedger(database.url, (ledger) => ledger.check());

  network.leadTo(Number(port || '5432'));
  const back = await startServer(where);
  closing.defer(() => back.remove());
  for (const until = performance.now() + LATE_WITHIN_MS; performance.now() < until; await pause(200))
    if ((await superseded(database.url)) > AT_ONCE) break;
  const late = await superseded(database.url);
  assert.equal(late, BigInt(AT_ONCE + 1), 'the lines that ran and the call were late');
  const totals = await inLedger(database.url, (ledger) => ledger.check());
  assert.ok(totals.settlements > before && totals.nodeLoss > 0n);
  const settled = await inLedger(database.url, (ledger) => ledger.settlements());
  const charged = new Set(settled.filter(({ charge }) => charge > 0n).map((call) => call.id));
  assert.equal(charged.size, LINES + 1, 'each line and the call once');
  for (const answer of answers) assert.ok(charged.has(`gen-${answer.id.slice(-26)}`), answer.id);
  assert.ok(charged.has(String(again.headers.get('x-generation-id'))));
  await verifyClean(back.dataFolder);
  return `a lost node brought ${late} calls that others had made again: ${LINES} lines and a call were charged once each`;
}

async function inLedger<Value>(url: string, read: (ledger: LedgerDatabase) => Promise<Value>): Promise<Value> {
  const ledger = await LedgerDatabase.open(url);
  try {
    return await read(ledger);
  } finally {
    await ledger.close();
  }
}

function superseded(url: string): Promise<bigint> {
  return inLedger(url, (ledger) =>
    ledger.sum('select count(*) from superseded_calls join settlements using (call_id) where charge_nano = 0'),
  );
}
