/** A promise of the ledger that was broken: what the simulator looks for. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Throws a `Violation` unless the promise holds. */
export function promise(holds: boolean, broken: () => string): void {
  if (!holds) throw new Violation(broken());
}

/** Throws a `Violation` unless both are the same amount or count. */
export function same<Value extends bigint | number>(found: Value, expected: Value, what: () => string): void {
  if (found !== expected) throw new Violation(`${what()} is ${found}, not ${expected}`);
}
