/** Goal: labels stay within their limit, and no cut leaves half of anything. Method: texts of every length around the limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LABEL_BYTES_MAX } from '../../core/call-labels.ts';
import { fitLabels } from './fit-labels.ts';

const NOTHING = { user: '', app: '', referer: '', metadata: [], isCut: false };

test('labels that fit are kept as they are', () => {
  assert.equal(fitLabels(NOTHING), null);
  assert.deepEqual(fitLabels({ ...NOTHING, user: 'u'.repeat(LABEL_BYTES_MAX) }), {
    user: 'u'.repeat(LABEL_BYTES_MAX),
    app: null,
    referer: null,
    metadata: {},
    isCut: false,
  });
});

test('no cut leaves half a character, half a key note, or a name without its value', () => {
  for (let length = LABEL_BYTES_MAX - 8; length <= LABEL_BYTES_MAX + 2; length += 1) {
    const start = 'a'.repeat(length);
    for (const [end, kept] of [
      ['[key]', 5],
      ['値', 3],
      ['🚢', 4],
    ] as const) {
      const fits = length + kept <= LABEL_BYTES_MAX;
      const labels = fitLabels({ ...NOTHING, user: start + end, metadata: [['n', 'v']] });
      assert.equal(labels?.user, fits ? start + end : start.slice(0, LABEL_BYTES_MAX), `${end} after ${length}`);
      assert.deepEqual(labels?.metadata, length + kept < LABEL_BYTES_MAX ? metadataIn(length + kept) : {});
    }
  }
});

function metadataIn(taken: number): Record<string, string> {
  return { n: LABEL_BYTES_MAX - taken > 1 ? 'v' : '' };
}
