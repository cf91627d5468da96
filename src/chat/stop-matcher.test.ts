/**
 * Goal: an answer ends at the first stop sequence that is complete, however its text is cut into pieces, and nothing is withheld that cannot
 * become one. Method: every way to cut short texts, and a plain search as the reference.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { StopMatcher } from './stop-matcher.ts';

interface Outcome {
  readonly text: string;
  readonly found: string | null;
}

/** The first end of any sequence; of several that end there, the longest. */
function searched(text: string, stops: readonly string[]): Outcome {
  for (let end = 1; end <= text.length; end += 1) {
    const ending = stops.filter((stop) => text.slice(0, end).endsWith(stop)).sort((a, b) => b.length - a.length)[0];
    if (ending !== undefined) return { text: text.slice(0, end - ending.length), found: ending };
  }
  return { text, found: null };
}

function matched(pieces: readonly string[], stops: readonly string[]): Outcome {
  const matcher = new StopMatcher(stops);
  let text = '';
  let arrived = '';
  for (const piece of pieces) {
    arrived += piece;
    text += matcher.push(piece);
    if (matcher.found !== null) break;
    const withheld = arrived.slice(text.length);
    assert.ok(arrived.startsWith(text) && (withheld === '' || stops.some((stop) => stop.startsWith(withheld))));
  }
  return { text: matcher.found === null ? text + matcher.flush() : text, found: matcher.found };
}

test('each of the cuts of a text gives what a plain search finds', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['one two END three', ['END']],
    ['aaab', ['aab']],
    ['abcabd', ['abd', 'cab']],
    ['xyz', ['q']],
    ['ab', ['ab', 'b']],
    ['abab', ['ababc', 'ba']],
    ['\n\nHuman', ['\n\nHuman:', '\nHu']],
    ['😀😁', ['😁']],
  ];
  for (const [text, stops] of cases) {
    for (let cuts = 0; cuts < 2 ** (text.length - 1); cuts += 1) {
      const pieces: string[] = [''];
      for (const [at, unit] of text.split('').entries()) {
        pieces[pieces.length - 1] += unit;
        if ((cuts >> at) & 1) pieces.push('');
      }
      assert.deepEqual(matched(pieces, stops), searched(text, stops), JSON.stringify([pieces, stops]));
    }
  }
});

test('random texts of few letters, where sequences overlap, give what a plain search finds', () => {
  const letters = (min: number, max: number) =>
    fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: min, maxLength: max }).map((all) => all.join(''));
  fc.assert(
    fc.property(
      fc.array(letters(0, 5), { maxLength: 12 }),
      fc.array(letters(1, 5), { minLength: 1, maxLength: 4 }),
      (pieces, stops) => {
        assert.deepEqual(matched(pieces, stops), searched(pieces.join(''), stops));
      },
    ),
    { numRuns: 3_000, seed: 20261123 },
  );
});

test('nothing follows a sequence', () => {
  const matcher = new StopMatcher(['.']);
  assert.deepEqual([matcher.push('a.b'), matcher.push('c'), matcher.found], ['a', '', '.']);
});
