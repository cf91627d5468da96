/**
 * Goal: a list of thousands of models is whole, and written in parts with other work in between. Method: 3,000 models; turns of the event
 * loop are counted while a list is read.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FREE } from '../../../catalog/prices.ts';
import { by, entry, listsOf, textOf } from './model-fixture.ts';

const COUNT = 3_000;
const models = Array.from({ length: COUNT }, (_, index) =>
  entry(`lab-${index % 7}/model-${String(index).padStart(4, '0')}`, { prices: FREE, created: index + 1 }),
);
const lists = listsOf(models, true);

for (const shape of ['openrouter', 'openai', 'codex'] as const)
  test(`${shape}: every model once, in parts`, async () => {
    const list = await lists.list(shape, by([{}]));
    assert.notEqual(typeof list, 'string');
    const parts = await Array.fromAsync(list as AsyncIterable<string>);
    assert.ok(parts.length >= COUNT / 200, `${parts.length} parts`);
    const whole = JSON.parse(parts.join(''));
    const ids = (whole.data ?? whole.models).map((each: { id?: string; slug?: string }) => each.id ?? each.slug);
    assert.deepEqual(new Set(ids), new Set(models.map(({ id }) => id)));
    assert.equal(ids.length, COUNT);
  });

test('a page of a long list is one text, and its pages are the whole list', async () => {
  const seen: string[] = [];
  for (let offset = 0; offset < COUNT; offset += 500) {
    const page = await lists.list('openrouter', by([{}]), { offset: String(offset), limit: '500', sort: 'newest' });
    assert.equal(typeof page, 'string');
    seen.push(...JSON.parse(String(page)).data.map(({ id }: { id: string }) => id));
  }
  assert.deepEqual(seen, models.map(({ id }) => id).toReversed());
});

test('filters and permissions of a long list let other work run', async () => {
  const turns = countTurns();
  const denied = Array.from({ length: 500 }, (_, index) => `nobody/${index}*`);
  const permissions = [{ modelsDeny: [...denied, 'lab-0/*'] }];
  const found = JSON.parse(await textOf(lists.list('openrouter', by(permissions), { q: 'model', limit: '1' })));
  assert.equal(found.total_count, models.filter(({ id }) => !id.startsWith('lab-0/')).length);
  // 3,000 models with 501 patterns each are 1,500,000 comparisons, at most 50,000 in a turn.
  assert.ok(turns() >= 25, `${turns()} turns`);
});

test('a list with others of the same permissions is not compared again', async () => {
  const permissions = [{ modelsDeny: Array.from({ length: 500 }, (_, index) => `somebody/${index}*`) }];
  await lists.list('openrouter', by(permissions), { limit: '1' });
  const turns = countTurns();
  await lists.list('openrouter', by(permissions), { limit: '1' });
  assert.ok(turns() <= 2, `${turns()} turns`);
});

/** Counts the turns of the event loop until the result is asked for. */
function countTurns(): () => number {
  let [count, isCounting] = [0, true];
  const next = () => {
    count += 1;
    if (isCounting) setImmediate(next);
  };
  setImmediate(next);
  return () => {
    isCounting = false;
    return count;
  };
}
