/** Work on many rows, a few per turn of the event loop, so that calls run in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A row takes a few microseconds. */
export const SLICE_ROWS = 500;

/** Calls back with each thing, in order; at most `SLICE_ROWS` of them in a turn. */
export async function inSlices<Thing>(things: Iterable<Thing>, each: (thing: Thing) => void): Promise<void> {
  let done = 0;
  for (const thing of things) {
    // Before the first, too: what was read may have taken this turn's time.
    if (done % SLICE_ROWS === 0) await nextTurn();
    each(thing);
    done += 1;
  }
}
