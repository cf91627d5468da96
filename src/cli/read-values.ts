/** Parses values of commands: text, durations, times and amounts of money. An invalid one is a `UsageError`. */

import { isPlainText, NAME_LENGTH_MAX } from '../accounts/plain-text.ts';
import { parseUsd } from '../core/money.ts';
import type { CommandContext } from './command.ts';
import { UsageError } from './command-errors.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `30s`, `15m`, `24h`, `7d`, `2w` in milliseconds; otherwise null. */
export function parseSpan(text: string): number | null {
  const [, amount, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  return amount === undefined ? null : Number(amount) * (UNIT_MS[unit] ?? 0);
}

/** Text of at most `lengthMax` plain characters (`isPlainText`). `what` names it in errors: `--note`. */
export function readText(what: string, text: string, lengthMax: number): string {
  if (text.trim() === '') throw new UsageError(`${what} is empty`);
  if (text.length > lengthMax)
    throw new UsageError(`${what} has ${text.length} characters; the maximum is ${lengthMax}`);
  if (!isPlainText(text))
    throw new UsageError(`${what} contains a control character, or one that changes the text direction`);
  return text;
}

/** The value of `--name`, or null. */
export function nameOf(context: CommandContext): string | null {
  const name = context.text('name');
  return name === null ? null : readText('--name', name, NAME_LENGTH_MAX);
}

/** A whole number between 1 and `max`, as text. */
export function readCount(what: string, text: string, max: number): string {
  const isCount = /^[1-9]\d{0,14}$/.test(text) && Number(text) <= max;
  if (!isCount) throw new UsageError(`${what} must be between 1 and ${max}`);
  return text;
}

export function readSpan(flag: string, text: string): number {
  const ms = parseSpan(text);
  if (ms === null) throw new UsageError(`--${flag} ${text} is not a duration; use 30s, 15m, 24h or 7d`);
  return ms;
}

/** `30d` from now, a date (midnight UTC) or a time with its offset, as an ISO time. */
export function readExpiry(text: string, nowMs: number): string {
  const span = parseSpan(text);
  const ms = span === null ? parseMoment(text) : nowMs + span;
  if (ms === null)
    throw new UsageError(`--expires ${text} is not a time; use 12h, 30d, 2027-01-31 or 2027-01-31T12:00:00Z`);
  if (ms <= nowMs) throw new UsageError(`--expires ${text} is not in the future`);
  return new Date(ms).toISOString();
}

/** A date (midnight UTC) or a time with its offset, as an ISO time. */
export function readMoment(flag: string, text: string): string {
  const ms = parseMoment(text);
  if (ms === null) throw new UsageError(`--${flag} ${text} is not a time; use 2027-01-31 or 2027-01-31T12:00:00Z`);
  return new Date(ms).toISOString();
}

/** The amount as it was written, once it is known to be a valid decimal. */
export function readUsd(what: string, text: string): string {
  try {
    parseUsd(text);
    return text;
  } catch {
    throw new UsageError(
      `${what} ${text} is not an amount; use USD as a plain decimal with at most 9 decimal places, like 5.25`,
    );
  }
}

function parseMoment(text: string): number | null {
  const isMoment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const ms = isMoment ? Date.parse(text) : Number.NaN;
  // JavaScript reads 31 February as 3 March; refuse it instead.
  return Number.isNaN(ms) || !sameDay(text) ? null : ms;
}

function sameDay(text: string): boolean {
  const day = text.slice(0, 10);
  const ms = Date.parse(day);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}
