/** The fields that are read of an object, for each value of the field that says what it is. */
export interface FieldsByType {
  /** None for an unknown type, which is refused anyway. */
  of(type: unknown): ReadonlySet<string>;
}

/** `common`: those of every type. The keys of `own` may name several types, separated by `|`. */
export function fieldsByType(
  common: readonly string[],
  own: Readonly<Record<string, readonly string[]>>,
): FieldsByType {
  const byType = new Map<unknown, ReadonlySet<string>>();
  for (const [types, fields] of Object.entries(own)) {
    const known = new Set([...common, ...fields]);
    for (const type of types.split('|')) byType.set(type, known);
  }
  const others = new Set(common);
  return { of: (type) => byType.get(type) ?? others };
}
