/** Long work in steps: at once where nothing else waits, or in turns of the event loop while calls run. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

/** Yields where other work may run, at least every few milliseconds. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** A turn ends with the step that exceeds it. */
const TURN_MS = 5;

export function runAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

export async function runInTurns<Result>(steps: Steps<Result>, clock: Pick<Clock, 'monotonic'>): Promise<Result> {
  for (;;) {
    const startedMs = clock.monotonic();
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (clock.monotonic() - startedMs < TURN_MS);
    await nextTurn();
  }
}
