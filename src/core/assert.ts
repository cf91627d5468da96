/**
 * Catches programmer errors. Assertions stay on in production: a gateway that
 * handles money stops rather than continue with a broken invariant.
 */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionFailed(message);
}

/** Closes a `switch` over a union: adding a member makes the compiler point here. */
export function assertNever(value: never): never {
  throw new AssertionFailed(`unexpected value: ${String(value)}`);
}

export class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed';
}
