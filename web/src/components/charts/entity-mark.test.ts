// Goal: an entity has its colour wherever it is shown, and two share one only when all are taken; colour-blind people can
// distinguish the colours. Method: names in any order; the palettes of the styles, as those people see them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { digestOf, freeSlot, markOf } from './entity-mark.ts';
import { contrast, type Rgb, readColour, seenBy } from './seen-colours-fixture.ts';

test('an entity keeps its mark, whichever are shown with it and in whatever order', () => {
  const models = ['openai/gpt-5', 'anthropic/claude-sonnet-4-5', 'mistralai/mistral-large', 'demo/echo'];
  const before = models.map((id) => markOf('model', id));
  const after = [...models].reverse().map((id) => markOf('model', id));
  assert.deepEqual(after.reverse(), before);
  assert.deepEqual(markOf('model', 'demo/echo'), before[3]);
});

test('sixteen entities have sixteen marks, the first eight of them plain', () => {
  const marks = Array.from({ length: 16 }, (_, index) => markOf('key', String(index)));
  assert.equal(new Set(marks.map(({ colour, isStriped }) => `${colour} ${isStriped}`)).size, 16);
  assert.deepEqual(
    marks.map(({ isStriped }) => isStriped),
    Array.from({ length: 16 }, (_, index) => index >= 8),
  );
});

test('the mark comes from the name if it is free, otherwise it is the next free one', () => {
  const digest = digestOf('openai/gpt-5');
  const wanted = freeSlot(digest, []);
  assert.equal(freeSlot(digest, [wanted]), (wanted + 1) % 8);
  assert.ok(freeSlot(digest, [0, 1, 2, 3, 4, 5, 6, 7]) >= 8);
});

test('once all sixteen are taken, each is taken twice before any is a third time', () => {
  const all = Array.from({ length: 16 }, (_, slot) => slot);
  assert.equal(freeSlot(digestOf('acme/seventeenth'), [...all, ...all.filter((slot) => slot !== 11)]), 11);
});

test('the rest is grey and striped, unlike any other', () => {
  assert.deepEqual(markOf('model', 'other'), { colour: '--chart-other', isStriped: true });
});

const css = readFileSync(join(import.meta.dirname, '../../styles/theme.css'), 'utf8');
const [light = '', dark = ''] = css.split(':root[data-theme="dark"]');

for (const [theme, source] of [
  ['light', light],
  ['dark', dark],
] as const) {
  const tokens = new Map(
    [...source.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', hex = '']) => [name, hex]),
  );
  const colour = (name: string): Rgb => readColour(tokens.get(name) ?? '');
  const palette = Array.from({ length: 8 }, (_, index) => `chart-${index + 1}`);

  test(`${theme}: a chart's colours have a contrast to the background of 3 to 1`, () => {
    for (const name of [...palette, 'chart-other']) {
      const ratio = contrast(colour(name), colour('surface'));
      assert.ok(ratio >= 3, `${name} has ${ratio.toFixed(2)}`);
    }
  });

  test(`${theme}: any two of a chart's colours differ, also for colour-blind people`, () => {
    for (const [index, one] of palette.entries())
      for (const other of palette.slice(0, index))
        for (const [eye, difference] of seenBy(colour(one), colour(other)))
          assert.ok(difference >= 0.09, `${one} and ${other} differ by ${difference.toFixed(3)} for ${eye}`);
  });
}
