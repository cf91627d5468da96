// Goal: an operator sees what runs, what is let in, and what was refused for which reason; nobody else does. Method: a gateway with two
// places that are taken, a shortage that the test sets, and a real Chromium.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ManualClock } from '../../src/core/clock.ts';
import { answerWell } from '../support/upstream-scripts.ts';
import { closeBrowser } from './browser.ts';
import { send } from './operator.ts';
import { openStage, type Stage } from './stage.ts';

const figures = { loopDelayMs: 1, memoryUse: 0.1 };
const clock = new ManualClock(Date.now());
let stage: Stage;
before(async () => {
  const load = { loopDelayMs: () => figures.loopDelayMs, memoryUse: () => figures.memoryUse };
  stage = await openStage({ limits: { inFlightMax: 2, loopDelayMs: 100 } }, { clock, load });
});
after(async () => {
  await closeBrowser();
  await stage?.close();
});

interface Load {
  readonly data: {
    readonly calls: object;
    readonly admitted_ratio: number;
    readonly shortage: string | null;
    readonly response_cache: { readonly used_bytes: number };
    readonly shed: readonly { readonly shortage: string; readonly calls: number }[];
  };
}

test('the page shows places, refusals by reason, and a shortage while there is one', async () => {
  const operator = await stage.operator();
  const { page } = operator;
  const held = Promise.withResolvers<void>();
  stage.upstream.play(async (exchange) => {
    await held.promise;
    await answerWell(exchange);
  });
  const running = [];
  for (let call = 0; call < 2; call += 1) {
    const arrived = stage.upstream.nextExchange();
    running.push(stage.ask(stage.key));
    await arrived;
  }
  for (let call = 0; call < 3; call += 1) assert.equal((await stage.ask(stage.key)).status, 503);

  await operator.visit('/load');
  await page.getByText('2 of 2').waitFor();
  const refused = page.getByRole('table', { name: 'Refused requests' }).getByRole('row');
  await refused.filter({ hasText: 'Places' }).filter({ hasText: /3\s*$/ }).waitFor();
  await page.getByRole('progressbar', { name: 'Response cache' }).waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  assert.deepEqual(await operator.barriers(), []);
  const { data } = await send<Load>(operator, 'GET', '/load');
  assert.deepEqual(data.calls, { running: 2, arriving: 0, waiting: 0, limit: 2 });
  assert.equal(data.shed.find(({ shortage }) => shortage === 'in_flight')?.calls, 3);

  held.resolve();
  for (const call of running) assert.equal((await call).status, 200);
  // Both halves of a second are late: then half is refused.
  figures.loopDelayMs = 200;
  for (let window = 0; window < 2; window += 1) {
    await (await stage.ask(stage.key)).text();
    clock.advance(500);
  }
  await page.reload();
  await page.getByRole('alert').getByText('50% of new requests are refused. What is short: processor time').waitFor();
  assert.deepEqual(await operator.barriers(), []);
  await operator.visit('/');
  const banner = page.getByRole('alert').filter({ hasText: 'What is short: processor time (limits.loopDelayMs)' });
  await banner.waitFor();
  assert.deepEqual(await operator.barriers(), []);
  await operator.picture('overview-shortage');
  await banner.getByRole('link', { name: 'See the load.' }).click();
  await page.getByRole('heading', { name: 'Load' }).waitFor();
  await operator.picture('load-shortage');
  await operator.leave();
});
