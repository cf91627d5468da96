/**
 * Two nodes on one PostgreSQL, of which the one that runs a batch ends in the middle: the other goes on, no line is lost and none is charged twice.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { asker, awaitEnd, createBatch, inputOf, pause, results, upload } from '../../../batches/batch-fixture.ts';
import { chatBody, scriptedProvider } from '../../../support/open-gateway.ts';
import { createDatabase } from '../../../support/postgres/database.ts';
import { serverNames } from '../../../support/postgres/servers.ts';
import { startScriptedUpstream } from '../../../support/scripted-upstream.ts';
import { newInstallation, startServer } from '../../../support/serve-process.ts';
import { settledCalls } from '../../../support/settled-calls.ts';
import { NODE_SECRETS } from '../../../support/test-storage.ts';
import { answerWell } from '../../../support/upstream-scripts.ts';

const LINES = 60;

/**
 * `SIGKILL`: the lines that ran wait until the node counts as lost. `SIGTERM`: the other node goes on at once. Returns what to say of it; throws if
 * something does not hold.
 */
export async function batchOfTwoNodes(signal: 'SIGKILL' | 'SIGTERM'): Promise<string> {
  await using closing = new AsyncDisposableStack();
  const [server] = serverNames;
  assert.ok(server);
  const database = await createDatabase(server);
  closing.defer(() => database.drop());
  let asked = 0;
  let onHalf: () => void = () => undefined;
  const half = new Promise<void>((resolve) => (onHalf = resolve));
  const upstream = await startScriptedUpstream(async (exchange) => {
    asked += 1;
    if (asked === LINES / 2) onHalf();
    await pause(100);
    await answerWell(exchange);
  });
  closing.defer(() => upstream.close());
  const file = {
    ...NODE_SECRETS,
    pepper: randomBytes(32).toString('hex'),
    demo: false,
    database: { url: database.url },
    providers: [scriptedProvider('scripted', upstream.origin)],
  };
  const one = await startServer(await newInstallation({ ...file, nodes: { name: 'one' } }));
  closing.defer(() => one.remove());
  const two = await startServer(await newInstallation({ ...file, nodes: { name: 'two' } }));
  closing.defer(() => two.remove());
  const ask = asker(one.url, one.key);
  const bodies = Array.from({ length: LINES }, (_, at) => chatBody(false, `number ${at}`));
  // The node at which it is made looks for batches at once, the other one every two seconds.
  const { id } = await createBatch(ask, await upload(ask, inputOf(bodies)));
  await half;
  const exited = once(one.process, 'exit');
  const endedAt = performance.now();
  one.process.kill(signal);
  await exited;
  const there = asker(two.url, one.key);
  const ended = await awaitEnd(there, id);
  const ms = Math.round(performance.now() - endedAt);
  assert.deepEqual(ended.request_counts, { total: LINES, completed: LINES, failed: 0 });
  const answers = await results(there, ended.output_file_id);
  assert.equal(new Set(answers.map((answer) => answer.custom_id)).size, LINES);
  assert.equal(answers.length, LINES);
  const settled = await settledCalls({ dataFolder: two.dataFolder, databaseUrl: database.url }, LINES);
  const charged = new Set(settled.filter(({ ending }) => ending === 'complete').map((each) => each.id));
  for (const answer of answers) assert.ok(charged.has(`gen-${answer.id.slice(-26)}`), answer.id);
  assert.equal(charged.size, LINES);
  assert.ok(asked >= LINES);
  return `${signal}: ended ${ms} ms later, ${asked} requests for ${LINES} lines`;
}
