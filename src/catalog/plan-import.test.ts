/** Goal: a large import lets other work go on. Method: a plan over many models, while a chain of turns is counted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { picoUsd } from '../core/money.ts';
import { ListedPrices } from './listed-prices.ts';
import type { Model, Target } from './model.ts';
import { PricePlaces, planImport } from './plan-import.ts';
import { FREE } from './prices.ts';

const MODELS = 20_000;
const ROWS = 1_000;

const prices = { ...FREE, input: picoUsd(2n), output: picoUsd(9n) };
const models = Array.from({ length: MODELS }, (_, index) => {
  const target = { provider: 'lab', upstreamModel: `m-${index}`, prices, priceOrigin: 'imported' };
  return { id: `lab/m-${index}`, targets: [target as Target] } as unknown as Model;
});
const rows = models.slice(0, ROWS).map(({ targets: [target] }, index) => ({
  ...{ provider: 'lab', upstreamModel: target?.upstreamModel as string, place: `row ${index}`, retiresAt: null },
  prices: { ...prices, input: picoUsd(3n) },
}));

/** How many turns of the event loop others had meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return turns;
}

test('models are looked through, and rows compared, a part in each turn', async () => {
  const listed = new ListedPrices([]);
  const wanted = new Set(rows.map(({ upstreamModel }) => upstreamModel));
  let places: PricePlaces | null = null;
  const looking = await turnsDuring(async () => {
    places = await PricePlaces.of({ models, kindOf: () => 'custom', listed, wanted });
  });
  assert.ok(looking >= MODELS / 2_000, `${looking} turns`);
  let changes = 0;
  const planning = await turnsDuring(async () => {
    const plan = await planImport(rows, places ?? assert.fail('no places'), listed);
    changes = plan.changes.length;
  });
  assert.equal(changes, ROWS);
  assert.ok(planning >= ROWS / 100, `${planning} turns`);
});
