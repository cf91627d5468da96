// Goal: a size is short, and never written as a thousand of its unit. Method: sizes around the borders.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBytes } from './bytes.ts';

test('sizes have the largest unit that they fill', () => {
  const shown = [0, 812, 999, 1000, 1234, 9_949, 9_950, 999_499, 999_500, 3_400_000, 16_800_000_000, 2e15].map(
    formatBytes,
  );
  assert.deepEqual(shown, [
    ...[
      '0 B',
      '812 B',
      '999 B',
      '1.0 kB',
      '1.2 kB',
      '9.9 kB',
      '10 kB',
      '999 kB',
      '1.0 MB',
      '3.4 MB',
      '17 GB',
      '2000 TB',
    ],
  ]);
});
