/**
 * Kills the program again and again while it runs a batch, and starts it anew in the same folder, until the batch has ended. Then each line must have
 * one result, each answer in the files one settlement and each settlement that is charged its answer, and the ledger must be right.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { asker, awaitEnd, createBatch, inputOf, pause, results, upload, usageOf } from '../../batches/batch-fixture.ts';
import { chatBody, scriptedProvider } from '../../support/open-gateway.ts';
import { startScriptedUpstream } from '../../support/scripted-upstream.ts';
import { newInstallation, type ServeProcess, startServer } from '../../support/serve-process.ts';
import { answerWell, refuse } from '../../support/upstream-scripts.ts';
import { inLedger } from './ledger-file.ts';
import { seeded } from './seeded.ts';
import { verifyClean } from './verify-clean.ts';

const LINES_PER_KILL = 30;
/** One of so many requests gets an error of the provider. */
const BAD_EACH = 11;

/** Returns what to say of it. Throws if a line was lost, charged twice, or charged without a result. */
export async function killBatches(kills: number, seed: number): Promise<string> {
  const random = seeded(seed);
  let asked = 0;
  let onAsked: () => void = () => undefined;
  const upstream = await startScriptedUpstream(async (exchange) => {
    asked += 1;
    onAsked();
    // So that lines are at different steps whenever it is killed.
    await pause(random() * 20);
    const number = Number(/number (\d+)/.exec(exchange.request.body.toString())?.[1]);
    await (number % BAD_EACH === 3 ? refuse(400, { error: { message: 'no' } })(exchange) : answerWell(exchange));
  });
  const installation = await newInstallation({
    demo: false,
    providers: [scriptedProvider('scripted', upstream.origin)],
  });
  const total = LINES_PER_KILL * (kills + 1);
  let server = await startServer(installation);
  try {
    const bodies = Array.from({ length: total }, (_, at) => chatBody(false, `number ${at}`));
    const first = asker(server.url, server.key);
    const { id } = await createBatch(first, await upload(first, inputOf(bodies)));
    for (let kill = 0; kill < kills; kill += 1) {
      const killAt = asked + 1 + Math.floor(random() * LINES_PER_KILL);
      await new Promise<void>((resolve) => {
        onAsked = () => (asked >= killAt ? resolve() : undefined);
      });
      await pause(random() * 30);
      await killed(server);
      server = await startServer(installation);
    }
    const ask = asker(server.url, server.key);
    const ended = await awaitEnd(ask, id);
    const [answers, errors] = [await results(ask, ended.output_file_id), await results(ask, ended.error_file_id)];
    const bad = bodies.filter((_, at) => at % BAD_EACH === 3).length;
    assert.deepEqual(ended.request_counts, { total, completed: total - bad, failed: bad });
    const ids = [...answers, ...errors].map(({ custom_id }) => custom_id);
    assert.equal(ids.length, total, 'each line once');
    assert.equal(new Set(ids).size, total, 'each line once');
    assert.deepEqual(ended.usage, usageOf(answers), 'the tokens of each answer once');
    await verifyClean(installation.dataFolder);
    await stopped(server);
    const settled = inLedger(installation.dataFolder, (file) => file.settlements());
    const charged = settled.filter(({ ending }) => ending === 'complete').map((each) => each.id);
    assert.deepEqual(charged.toSorted(), answers.map((answer) => `gen-${answer.id.slice(-26)}`).toSorted());
    return `${kills} kills, ${total} lines, ${asked} requests at the provider, ${settled.length} settlements`;
  } finally {
    await server.remove();
    await upstream.close();
  }
}

async function killed(server: ServeProcess): Promise<void> {
  const exited = once(server.process, 'exit');
  server.process.kill('SIGKILL');
  await exited;
}

async function stopped(server: ServeProcess): Promise<void> {
  const exited = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  await exited;
}
