/**
 * Goal: a configuration that is read again takes effect for new calls and harms no running one; what needs a restart is named and left.
 * Method: the whole gateway with a stream under way, and configurations read as the program reads them; then the program and SIGHUP. In
 * full size as `npm run prove -- reload`.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfigInSteps } from '../../src/config/load-config.ts';
import { goodAnswers } from '../faults/fault.ts';
import {
  type ConfigFile,
  chatBody,
  endsProperly,
  OPEN_MODEL,
  type OpenBench,
  openBench,
  PATHS,
  rawCall,
} from '../support/open-gateway.ts';
import { PLENTY } from '../support/plenty.ts';
import { startServer } from '../support/serve-process.ts';
import { StreamReader } from '../support/stream-reader.ts';
import { until } from '../support/turns.ts';
import { answerWell, streamThen } from '../support/upstream-scripts.ts';

const FRAMES = goodAnswers['openai-chat'].frames;

function providerAt(origin: string, output: number): object {
  return {
    name: 'scripted',
    kind: 'custom',
    origin,
    credential: 'canary-credential-of-scripted',
    dialects: ['openai-chat', 'anthropic-messages'],
    models: [{ id: OPEN_MODEL, upstream: 'scripted-1', prices: { input: 1, output }, outputCap: 128_000 }],
  };
}

/** Reads a file like the program that `openBench` has started, with changes. */
function rereads(bench: OpenBench, file: ConfigFile) {
  return async () => {
    const folder = join(bench.dataFolder, '..');
    const { dataFolder } = bench;
    await writeFile(
      join(folder, 'turnpike.yaml'),
      JSON.stringify({ port: 0, dataFolder, demo: false, ...PLENTY, ...file }),
    );
    await bench.app.reload(() =>
      loadConfigInSteps({ flags: {}, environment: { BOOTSTRAP_KEY: bench.key }, cwd: folder }),
    );
  };
}

test('a stream goes on at the price that it was admitted at; the next call pays the new one', async () => {
  const bench = await openBench();
  const { origin } = bench.upstream;
  bench.upstream.play(streamThen(FRAMES.slice(0, 3), () => undefined));
  const reader = await StreamReader.open(bench.url, rawCall(bench, 'openai-chat', true));
  await reader.sees('one ');
  const running = bench.upstream.exchanges.at(-1);
  await rereads(bench, { providers: [providerAt(origin, 50)] })();

  bench.upstream.play(answerWell);
  const dear = bench.nextRecord();
  const answer = await bench.post(PATHS['openai-chat'], chatBody(true));
  assert.equal(answer.status, 200);
  await answer.text();
  const ofNew = await dear;
  const cheap = bench.nextRecord();
  for (const frame of FRAMES.slice(3)) await running?.chunk(frame);
  await running?.lastChunk();
  await reader.sees((text) => endsProperly(text));
  const ofOld = await cheap;
  assert.notEqual(ofOld.priceVersion, ofNew.priceVersion);
  assert.ok(ofNew.charge > 3n * ofOld.charge, `${ofOld.charge} and ${ofNew.charge}`);
  reader.leave();
  await bench.close();
});

test('calls under way keep their markup and fee; the next ones have the new, whatever of them changed', async () => {
  const billing = { firstRunCredit: '1000', markup: 10 };
  const bench = await openBench({ billing });
  const providers = [providerAt(bench.upstream.origin, 5)];
  /** Reloads while a call waits for its provider. */
  const callOver = async (next: object) => {
    const waiting = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    bench.upstream.play(async (exchange) => {
      asked.resolve();
      await waiting.promise;
      await answerWell(exchange);
    });
    const recorded = bench.nextRecord();
    const answer = bench.post(PATHS['openai-chat'], chatBody(false));
    await asked.promise;
    await rereads(bench, { providers, billing: { ...billing, ...next } })();
    waiting.resolve();
    await (await answer).text();
    return recorded;
  };
  const rates: number[] = [];
  const records = [];
  for (const next of [
    { markup: 25 },
    { markup: 25, modelMarkups: [{ model: OPEN_MODEL, markup: 300 }] },
    { markup: 40, ownCredentialFee: 5 },
    {},
  ]) {
    const record = await callOver(next);
    records.push(record);
    rates.push(record.rate);
    assert.equal(record.charge, ((record.cost ?? 0n) * BigInt(record.rate) + 999_999n) / 1_000_000n);
  }
  assert.deepEqual(rates, [1_100_000, 1_250_000, 4_000_000, 1_400_000]);
  assert.equal(new Set(records.map(({ cost }) => cost)).size, 1);
  const lines = bench.log.filter((line) => line.includes('configuration_reloaded'));
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { changed: string[] }).changed.filter((name) => name !== 'providers')),
    [
      ['billing.markup'],
      ['billing.modelMarkups'],
      ['billing.markup', 'billing.modelMarkups', 'billing.ownCredentialFee'],
      ['billing.markup', 'billing.ownCredentialFee'],
    ],
  );
  const { data } = (
    await bench.app.control.inject({ method: 'POST', url: '/control/api/ledger/verify', payload: {} })
  ).json();
  assert.deepEqual([data.violations, data.looked_at.settlements], [[], 4]);
  await bench.close();
});

test('ids that no model has are named, at the start and when the configuration is read again', async () => {
  const lost = { name: 'fast', targets: [{ model: 'acme/nowhere' }] };
  const bench = await openBench({
    billing: { modelMarkups: [{ model: `${OPEN_MODEL}r`, markup: 20 }] },
    aliases: [lost],
  });
  const named = () =>
    bench.log.filter((line) => line.includes('unknown_model')).map((line) => JSON.parse(line) as { option: string });
  assert.partialDeepStrictEqual(named(), [
    { option: 'billing.modelMarkups[0].model', model: `${OPEN_MODEL}r`, meant: OPEN_MODEL },
    { option: 'aliases[0].targets[0].model', model: 'acme/nowhere' },
  ]);
  const providers = [providerAt(bench.upstream.origin, 5)];
  await rereads(bench, { providers, aliases: [lost], billing: { modelMarkups: [{ model: 'x/y', markup: 1 }] } })();
  assert.deepEqual(
    named()
      .slice(2)
      .map(({ option }) => option),
    ['billing.modelMarkups[0].model', 'aliases[0].targets[0].model'],
  );
  await bench.close();
});

test('limits take effect, what needs a restart is named, and a wrong file changes nothing', async () => {
  const bench = await openBench({ limits: { inFlightMax: 100 } });
  const providers = [providerAt(bench.upstream.origin, 6)];
  const loaded = bench.app.providers.current;
  await rereads(bench, {
    providers,
    limits: { inFlightMax: 7, memoryBytes: 5_000_000 },
    publicUrl: 'https://example.com',
  })();
  assert.equal(bench.app.gateway.running.max, 7);
  assert.equal(bench.app.gateway.limits.memoryBytes, null);
  const line = JSON.parse(bench.log.findLast((each) => each.includes('configuration_reloaded')) ?? '') as object;
  assert.partialDeepStrictEqual(line, {
    changed: ['limits.inFlightMax', 'providers'],
    needRestart: ['publicUrl', 'limits.memoryBytes'],
  });
  const afterwards = bench.app.providers.current;
  assert.notEqual(afterwards, loaded);

  await rereads(bench, { providers, limits: { inFlightMax: 0 } })();
  assert.equal(bench.app.gateway.running.max, 7);
  assert.equal(bench.app.providers.current, afterwards);
  assert.match(bench.log.findLast((each) => each.includes('configuration_not_reloaded')) ?? '', /limits\.inFlightMax/);
  const served = await bench.post(PATHS['openai-chat'], chatBody(false));
  assert.equal(served.status, 200, await served.text());
  await bench.close();
});

test('a provider that has not changed stays the same one, with its health; one that is gone is served no more', async () => {
  const bench = await openBench();
  const { origin } = bench.upstream;
  const other = {
    ...providerAt(origin, 5),
    name: 'other',
    models: [{ id: 'other/model', upstream: 'scripted-2', prices: { input: 1, output: 1 } }],
  };
  await rereads(bench, { providers: [providerAt(origin, 5), other] })();
  const kept = bench.app.gateway.providers.get('scripted');
  assert.ok(kept);
  await rereads(bench, { providers: [providerAt(origin, 5)], timeouts: { idleMs: 1234 } })();
  assert.equal(bench.app.gateway.providers.get('scripted'), kept);
  assert.equal(bench.app.gateway.providers.get('other'), undefined);
  assert.equal(bench.app.gateway.timeouts.idleMs, 1234);
  const gone = await bench.post(PATHS['openai-chat'], chatBody(false, 'hi', 'other/model'));
  assert.equal(gone.status, 404);
  await gone.text();
  await bench.close();
});

test('SIGHUP: the program reads its file again, and goes on', { timeout: 30_000 }, async () => {
  const server = await startServer({ demo: true });
  const file = { port: 0, dataFolder: server.dataFolder, demo: true, ...PLENTY, limits: { inFlightMax: 77 } };
  await writeFile(join(server.folder, 'turnpike.yaml'), JSON.stringify(file));
  server.process.kill('SIGHUP');
  await until('the new configuration', () => server.printed().includes('configuration_reloaded'));
  const health = (await fetch(`${server.url}/health`).then((response) => response.json())) as {
    load: { calls_running_max: number };
  };
  assert.equal(health.load.calls_running_max, 77);
  server.process.kill('SIGTERM');
  const [code] = await once(server.process, 'exit');
  assert.equal(code, 0);
  await server.remove();
});
