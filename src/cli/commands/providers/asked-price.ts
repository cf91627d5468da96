/** `--price` of commands: `2.50/10` for a million tokens read and written, `image=0.04` for one of what is charged by the piece, or `free`. */
import { isUnitName, UNIT_KINDS } from '../../../core/units/units.ts';
import { UsageError } from '../../command-errors.ts';

/** Decimal text in USD, as the management API takes it. */
export type AskedPrice = 'free' | AskedLines;

export interface AskedLines {
  /** Absent, like `output`, if only units have a price. */
  readonly input?: string;
  readonly output?: string;
  readonly units?: Readonly<Record<string, string>>;
  /** Other lines, by the names that the route has for them. */
  readonly [line: string]: unknown;
}

/** What is served, or `null` without the flag. `lines`: the route's name of each other line that it takes. Throws `UsageError`. */
export function readAskedPrice(values: readonly string[], lines: Readonly<Record<string, string>>): AskedPrice | null {
  if (values.length === 0) return null;
  if (values.includes('free')) {
    if (values.length > 1) throw new UsageError('--price free excludes every other price');
    return 'free';
  }
  const asked = new Map<string, string>();
  const units = new Map<string, string>();
  for (const value of values) {
    const [, input, output] = /^(\d{1,7}(?:\.\d{1,6})?)\/(\d{1,7}(?:\.\d{1,6})?)$/.exec(value) ?? [];
    if (input !== undefined && output !== undefined) {
      set(asked, 'input', input);
      set(asked, 'output', output);
      continue;
    }
    const [, name = '', price] = /^([A-Za-z][^=]{0,149})=(\d{1,7}(?:\.\d{1,12})?)$/.exec(value) ?? [];
    if (price === undefined) throw wrong(value, lines);
    const line = Object.hasOwn(lines, name) ? lines[name] : undefined;
    if (isUnitName(name)) set(units, name, price);
    else if (line !== undefined) set(asked, line, price);
    else throw wrong(value, lines);
  }
  if (!asked.has('input') && units.size === 0)
    throw new UsageError('--price needs the price of tokens, <in>/<out>, or of a unit, like image=0.04');
  return {
    ...Object.fromEntries(asked),
    ...(units.size > 0 && { units: Object.fromEntries(units) }),
  };
}

function set(prices: Map<string, string>, name: string, price: string): void {
  if (prices.has(name)) throw new UsageError(`--price has two prices for ${name}`);
  prices.set(name, price);
}

function wrong(value: string, lines: Readonly<Record<string, string>>): UsageError {
  return new UsageError(
    `--price ${value} is not a valid price; use free, <in>/<out> in USD per million tokens, like 0.15/0.60, or <unit>=<usd> for one ` +
      `(${UNIT_KINDS.join(', ')}, with or without a class: image/1024x1024=0.04), or <line>=<usd> (${Object.keys(lines).join(', ')})`,
  );
}
