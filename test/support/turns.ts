/** Waiting for what has no event of its own, a turn of the event loop at a time. */

const PATIENCE_MS = 10_000;

/** Resolves when `holds` does; rejects, naming it, when that takes too long to be coming. */
export async function until(what: string, holds: () => boolean): Promise<void> {
  const startedAt = performance.now();
  while (!holds()) {
    if (performance.now() - startedAt > PATIENCE_MS) throw new Error(`never came: ${what}`);
    await turn();
  }
}

/** Resolves with the value of `measure` when it has stood still for `stillMs`. */
export async function standstill(measure: () => number, stillMs = 100): Promise<number> {
  let value = measure();
  let since = performance.now();
  while (performance.now() - since < stillMs) {
    await turn();
    const next = measure();
    if (next !== value) since = performance.now();
    value = next;
  }
  return value;
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
