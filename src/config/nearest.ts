import { runAtOnce, type Steps } from '../core/turns/steps.ts';
import { foreignName } from './foreign-names.ts';

/** The candidate closest to a mistyped name, or null if none is close enough. */
export function nearest(name: string, candidates: readonly string[]): string | null {
  return runAtOnce(nearestInSteps(name, candidates));
}

/** Looked at in one step: a millisecond or two. */
const STEP_CANDIDATES = 200;

/** The same of many candidates, while calls run. */
export function* nearestInSteps(name: string, candidates: readonly string[]): Steps<string | null> {
  const wanted = name.toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const [at, candidate] of candidates.entries()) {
    if (at % STEP_CANDIDATES === STEP_CANDIDATES - 1) yield;
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `; did you mean port?`, or an empty string: by other programs' names, otherwise by spelling. */
export function suggestion(name: string, candidates: readonly string[], prefix = ''): string {
  const candidate = foreignName(name, candidates) ?? nearest(name, candidates);
  return candidate === null ? '' : `; did you mean ${prefix}${candidate}?`;
}

/**
 * The number of edits, where a swap of neighbours, the most common typo, counts as one: Damerau-Levenshtein distance, row by
 * row. `enough` as soon as it is known to be no less: most of many candidates are ruled out by their length or their first rows.
 */
function editDistance(left: string, right: string, enough: number): number {
  if (Math.abs(left.length - right.length) >= enough) return enough;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= right.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      let distance = Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        distance = Math.min(distance, (beforePrevious[column - 2] ?? 0) + 1);
      }
      current.push(distance);
      least = Math.min(least, distance);
    }
    // A swap takes one from two rows before, and that is at least as much as the least of the row in between, less one.
    if (least > enough) return enough;
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}
