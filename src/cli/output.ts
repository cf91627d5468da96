/** How results are printed: aligned columns for people, the control plane's own JSON for programs. */
import { escapeUnplain } from '../accounts/plain-text.ts';
import type { CommandContext } from './command.ts';

const CODES = { green: 32, yellow: 33, red: 31, dim: 2 } as const;

/** The most characters of a caller's text that are repeated in a sentence. */
const SHOWN_LENGTH_MAX = 80;

/** Prints columns as wide as their widest cell; the last one is not padded. */
export function printTable(
  context: CommandContext,
  header: readonly string[],
  cells: readonly (readonly string[])[],
): void {
  const rows = cells.map((row) => row.map(escapeUnplain));
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  context.terminal.out(paint(context, 'dim', line(header)));
  for (const row of rows) context.terminal.out(line(row));
}

/** An operator's text within a sentence: escaped, and truncated if it is long. */
export function shownText(text: string): string {
  return escapeUnplain(text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX - 1)}…` : text);
}

export function paint(context: CommandContext, colour: keyof typeof CODES, text: string): string {
  return context.terminal.colour ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;
}

/** Names of fields that contain money, at any level. */
const MONEY: ReadonlySet<string> = new Set([
  'cost',
  'charge',
  'saved',
  'spent',
  'amount',
  'balance',
  'available',
  'held',
  'lent',
  'credited',
  'charged',
  'opening',
  'topups',
  'promos',
  'adjustments',
  'refunds',
  'charges',
  'closing',
  'usage',
]);

/** Parses an answer of the control plane. Money stays decimal text with all of its digits. */
export function readJson<Shape>(text: string): Shape {
  const reviver = (key: string, value: unknown, context?: { source?: string }) =>
    MONEY.has(key) && typeof value === 'number' ? (context?.source ?? String(value)) : value;
  return JSON.parse(text, reviver) as Shape;
}

/** The same for printing as JSON again: every number keeps its digits, as raw JSON instead of a number. */
export function readExact<Shape>(text: string): Shape {
  const reviver = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined ? JSON.rawJSON(context.source) : value;
  return JSON.parse(text, reviver) as Shape;
}

/** Each item of an answer's `data` as a line of JSON, so that a list can be followed. */
export function jsonLines(text: string): string[] {
  return readExact<{ data: unknown[] }>(text).data.map((item) => JSON.stringify(item));
}

/** `2026-11-21T09:30:12.345Z` → `2026-11-21 09:30:12` */
export function shortTime(iso: string | null): string {
  return iso === null ? '-' : iso.slice(0, 19).replace('T', ' ');
}
