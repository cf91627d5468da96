/** Places in a JSON value, and copies of it with one place changed. */

export type Place = readonly (string | number)[];

/** Of everything that is not an object or array with something in it. */
export function* leavesOf(value: unknown, at: Place = []): Iterable<Place> {
  if (!isFilled(value)) return void (yield at);
  for (const step of stepsOf(value)) yield* leavesOf(at1(value, step), [...at, step]);
}

export function* objectsOf(value: unknown, at: Place = []): Iterable<Place> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield at;
  for (const step of stepsOf(value)) yield* objectsOf(at1(value, step), [...at, step]);
}

export function valueAt(value: unknown, place: Place): unknown {
  return place.reduce(at1, value);
}

/** A copy with another value at one place; removed if the value is undefined. */
export function changed(value: unknown, [step, ...rest]: Place, other: unknown): unknown {
  if (step === undefined) return other;
  const inner = changed(at1(value, step), rest, other);
  if (Array.isArray(value)) {
    return inner === undefined ? value.toSpliced(Number(step), 1) : value.with(Number(step), inner);
  }
  const { [step]: _old, ...others } = value as Record<string, unknown>;
  return inner === undefined ? others : { ...(value as object), [step]: inner };
}

/** As `messages[].content[].text`. */
export function named(place: Place): string {
  return place
    .map((step) => (typeof step === 'number' ? '[]' : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

/** A copy without whatever stands at places of this name. */
export function without(value: unknown, name: string, at: Place = []): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const kept = stepsOf(value)
    .filter((step) => named([...at, step]) !== name)
    .map((step) => [step, without(at1(value, step), name, [...at, step])] as const);
  return Array.isArray(value) ? kept.map(([, inner]) => inner) : Object.fromEntries(kept);
}

function isFilled(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function stepsOf(value: object): readonly (string | number)[] {
  return Array.isArray(value) ? [...value.keys()] : Object.keys(value);
}

function at1(value: unknown, step: string | number): unknown {
  return (value as Record<string | number, unknown> | undefined)?.[step];
}
