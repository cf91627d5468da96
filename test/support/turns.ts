/** Waits for what has no event, one turn of the event loop at a time, and soon several turns at a time. */

const PATIENCE_MS = 10_000;
/** Usually a few turns are enough; a longer wait leaves the CPU to what is waited for. */
const TURNS_AT_ONCE = 50;
const BETWEEN_LOOKS_MS = 2;
/** Time alone proves nothing: on a busy machine it passes without a turn of the event loop. */
const LOOKS_MIN = 40;
/** The real clock, even if a test moves its own. */
const wait = setTimeout;

/** Resolves when `holds` does; rejects, naming it, if that takes too long. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const startedAt = performance.now();
  for (let turns = 0; !holds(); turns += 1) {
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error(`never came: ${what}`);
    await (turns < TURNS_AT_ONCE ? turn() : pause());
  }
}

/** Resolves with the value of `measure` when it has been the same for `stillMs`, and for many readings. */
export async function standstill(measure: () => number, stillMs = 100): Promise<number> {
  let value = measure();
  let since = performance.now();
  for (let looks = 0; looks < LOOKS_MIN || performance.now() - since < stillMs; looks += 1) {
    await pause();
    const next = measure();
    if (next === value) continue;
    value = next;
    since = performance.now();
    looks = 0;
  }
  return value;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function pause(): Promise<void> {
  return new Promise((resolve) => wait(resolve, BETWEEN_LOOKS_MS));
}
