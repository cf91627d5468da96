/** A piece of a body. */
export type Written = Readonly<Record<string, unknown>>;
