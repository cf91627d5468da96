/** Up to this length a loop is cheaper than a call into the runtime. */
const LOOP_BYTES_MAX = 64;

/** Copies `source[from, to)` to `into` at `at`; returns where the copy ends. */
export function copyBytes(source: Buffer, from: number, to: number, into: Buffer, at: number): number {
  if (to - from > LOOP_BYTES_MAX) return at + source.copy(into, at, from, to);
  let end = at;
  for (let index = from; index < to; index += 1) {
    into[end] = source[index] as number;
    end += 1;
  }
  return end;
}
