/**
 * Counts the work of a piece of the program, without a clock: how often each block of the code below `src/` ran, as V8 counts it
 * for coverage, and how far the built-in methods walked through an array, a string or bytes. The program
 * knows nothing of it.
 */
import { type Profiler, Session } from 'node:inspector/promises';

export class WorkCounter {
  readonly #session = new Session();
  #walked = 0;

  /** Built-in methods are watched from here to `close`. */
  async open(): Promise<void> {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    for (const [holder, methods] of WATCHED) {
      for (const [name, walk] of Object.entries(methods)) this.#watch(holder, name, walk);
    }
    this.#watchIterator();
  }

  close(): void {
    for (const [holder, methods] of WATCHED) {
      for (const name of Object.keys(methods)) Object.defineProperty(holder, name, ORIGINALS.get(holder)?.[name] ?? {});
    }
    Object.defineProperty(Array.prototype, Symbol.iterator, ITERATOR);
    this.#session.disconnect();
  }

  /** Runs without counting; `forget` follows. What it throws counts as its end. */
  async warm(run: () => unknown): Promise<void> {
    try {
      await run();
    } catch (error) {
      // A refusal is a normal answer; any other error is a finding.
      if (!(error instanceof Error) || error instanceof RangeError || error instanceof TypeError) throw error;
    }
  }

  /** V8 counts since the last query, which is slow: one query for everything that ran before. */
  async forget(): Promise<void> {
    await this.#session.post('Profiler.takePreciseCoverage');
  }

  /** Steps that `run` took since the last count. */
  async of(run: () => unknown): Promise<number> {
    this.#walked = 0;
    await this.warm(run);
    const walked = this.#walked;
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    let steps = walked;
    // By index: the iterator of arrays is watched, which makes it slow.
    for (let at = 0; at < result.length; at += 1) {
      const { url, functions } = result[at] as Profiler.ScriptCoverage;
      if (url.includes('/src/') && !url.endsWith('.test.ts')) steps += countOf(functions);
    }
    return steps;
  }

  #watch(holder: object, name: string, walk: Walk): void {
    const original = Reflect.get(holder, name) as (...given: unknown[]) => unknown;
    const add = (steps: number) => {
      this.#walked += steps;
    };
    Object.defineProperty(holder, name, {
      ...ORIGINALS.get(holder)?.[name],
      value(this: unknown, ...given: unknown[]) {
        const result = original.apply(this, given);
        add(walk(this as Sized, given, result) / STEPS_A_WALK);
        return result;
      },
    });
  }

  /** Used by spread and by `for`. */
  #watchIterator(): void {
    const { value: original } = ITERATOR;
    const add = () => {
      this.#walked += 1;
    };
    Object.defineProperty(Array.prototype, Symbol.iterator, {
      ...ITERATOR,
      value(this: unknown[]) {
        const inner = original.call(this) as ArrayIterator<unknown>;
        return {
          next: () => {
            add();
            return inner.next();
          },
          [Symbol.iterator]() {
            return this;
          },
        };
      },
    });
  }
}

function countOf(functions: readonly Profiler.FunctionCoverage[]): number {
  let sum = 0;
  for (let at = 0; at < functions.length; at += 1) {
    const { ranges } = functions[at] as Profiler.FunctionCoverage;
    for (let range = 0; range < ranges.length; range += 1) sum += (ranges[range] as Profiler.CoverageRange).count;
  }
  return sum;
}

type Sized = { readonly length: number };
/** How many elements, characters or bytes a call went through. */
type Walk = (self: Sized, given: readonly unknown[], result: unknown) => number;

/** A built-in method takes some steps in the time of one of the program's. */
const STEPS_A_WALK = 4;

const whole: Walk = (self) => self.length;
const made: Walk = (_self, _given, result) => (result as Sized).length;
const found: Walk = (self, given, result) => {
  const from = typeof given[1] === 'number' ? given[1] : 0;
  return typeof result === 'number' && result >= 0 ? Math.abs(result - from) : Math.max(0, self.length - from);
};
const foundLast: Walk = (self, given, result) => {
  const from = typeof given[1] === 'number' ? given[1] : self.length;
  return typeof result === 'number' && result >= 0 ? Math.max(0, from - result) : from;
};
const arrayMethods = {
  includes: whole,
  indexOf: found,
  lastIndexOf: foundLast,
  concat: made,
  slice: made,
  splice: whole,
  shift: whole,
  unshift: whole,
  with: whole,
  reverse: whole,
  join: whole,
};
const textMethods = {
  indexOf: found,
  lastIndexOf: foundLast,
  includes: whole,
  split: whole,
  replace: whole,
  replaceAll: whole,
  match: whole,
  search: whole,
  trim: whole,
  toLowerCase: whole,
  normalize: whole,
};
const byteMethods = {
  indexOf: found,
  lastIndexOf: foundLast,
  includes: whole,
  toString: made,
  copy: (_self: Sized, _given: readonly unknown[], result: unknown) => result as number,
  fill: whole,
};
const WATCHED: readonly (readonly [object, Readonly<Record<string, Walk>>])[] = [
  [Array.prototype, arrayMethods],
  [String.prototype, textMethods],
  [Buffer.prototype, byteMethods],
  [Buffer, { concat: made, from: made, byteLength: (_self, given) => (given[0] as Sized).length }],
  [Object, { keys: made, entries: made, values: made }],
  [
    JSON,
    { parse: (_self, given) => String(given[0]).length, stringify: (_self, _given, result) => String(result).length },
  ],
];
const ORIGINALS = new Map(
  WATCHED.map(([holder]) => [holder, Object.getOwnPropertyDescriptors(holder) as Record<string, PropertyDescriptor>]),
);
const ITERATOR = Object.getOwnPropertyDescriptor(Array.prototype, Symbol.iterator) as PropertyDescriptor;
