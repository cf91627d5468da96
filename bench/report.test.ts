/** Goal: the published table says what was measured. Method: rows by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Row } from './measures/measure.ts';
import { meetsTarget, ratioTo, renderTable, replaceBetweenMarkers } from './report.ts';
import { median, quantile, spread } from './statistics.ts';

const row: Row = {
  work: 'CPU per call',
  unit: 'µs',
  digits: 1,
  values: { nginx: 20, bare: 50, turnpike: 70 },
  rounds: { nginx: [20, 18, 20, 22], bare: [50, 50, 50, 50], turnpike: [70, 70, 90, 70] },
  target: { type: 'absolute', most: 75 },
};

test('a row shows figures, how far rounds disagree, ratios and whether the target is met', () => {
  const lines = renderTable([row], ['nginx', 'bare', 'turnpike']).split('\n');
  assert.match(lines[0] ?? '', /Turnpike ÷ nginx \| Turnpike ÷ bare/);
  assert.equal(
    lines[2],
    '| CPU per call | 20.0 µs ± 5 % | 50.0 µs ± 0 % | 70.0 µs ± 0 % | 3.50 | 1.40 | ≤ 75 µs: yes |',
  );
});

test('every line of the table has as many cells as its head, with and without Turnpike', () => {
  for (const names of [['nginx', 'bare', 'turnpike'], ['nginx', 'bare'], ['turnpike']] as const) {
    const widths = renderTable([row, { ...row, values: {}, target: null }], names)
      .split('\n')
      .map((line) => line.split('|').length);
    assert.equal(new Set(widths).size, 1, names.join());
  }
});

test('both ratios are shown and neither is judged: targets are of the figure itself', () => {
  assert.equal(meetsTarget(row), true);
  assert.equal(meetsTarget({ ...row, values: { nginx: 1, bare: 1, turnpike: 70 }, rounds: null }), true);
  assert.equal(meetsTarget({ ...row, values: { nginx: 20 } }), null, 'there is no figure');
  assert.equal(meetsTarget({ ...row, target: { type: 'absolute', most: 69 } }), false);
  assert.equal(meetsTarget({ ...row, target: { type: 'absolute', most: 70 } }), true);
  assert.equal(meetsTarget({ ...row, target: null }), null);
});

test('figures of Turnpike alone stand without the others, with targets from below or above', () => {
  const alone: Row = {
    work: 'holds and settlements',
    unit: 'a second',
    digits: 0,
    values: { turnpike: 61_234.5 },
    rounds: null,
    target: { type: 'at-least', least: 50_000 },
  };
  const rendered = (given: Row) => renderTable([given], ['nginx', 'turnpike']).split('\n')[2];
  assert.equal(rendered(alone), '| holds and settlements | – | 61,235 a second | – | ≥ 50,000 a second: yes |');
  assert.equal(meetsTarget({ ...alone, values: { turnpike: 49_999 } }), false);
  const ratio: Row = {
    ...alone,
    unit: '',
    digits: 2,
    values: { turnpike: 1.3 },
    target: { type: 'absolute', most: 1.2 },
  };
  assert.equal(rendered(ratio), '| holds and settlements | – | 1.30 | – | ≤ 1.2: **no** |');
});

test('a ratio is the median of the rounds’ own, which a slow stretch of the machine does not move', () => {
  const rounds = { nginx: [20, 40, 20], turnpike: [60, 120, 60] };
  assert.equal(ratioTo({ ...row, rounds }, 'nginx'), 3);
  assert.equal(ratioTo({ ...row, rounds: null }, 'nginx'), 3.5);
});

test('only what stands between the markers is replaced', () => {
  const document = 'before\n<!-- results -->\nold\n<!-- /results -->\nafter\n';
  assert.equal(replaceBetweenMarkers(document, 'new'), 'before\n<!-- results -->\nnew\n<!-- /results -->\nafter\n');
  assert.throws(() => replaceBetweenMarkers('no markers', 'new'), /lacks/);
});

test('quantiles are values that were seen', () => {
  assert.equal(median([5, 1, 3]), 3);
  assert.equal(median([4, 1, 3, 2]), 2);
  assert.equal(quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.99), 10);
  assert.equal(quantile([7], 0), 7);
  assert.throws(() => median([]), /no values/);
  assert.equal(spread([10, 10, 10, 10]), 0);
  assert.equal(spread([8, 9, 10, 11, 12]), 0.1);
});
