/** What differs between two configurations, and what of it can take effect while calls run. */
import { Secret } from '../core/secret.ts';
import type { Config } from './config.ts';

/** Options that take effect while calls run; every other needs a restart. `providers` is the whole list. */
const LIVE: ReadonlySet<string> = new Set([
  'providers',
  'billing.markup',
  'billing.modelMarkups',
  'billing.ownCredentialFee',
  'billing.batchPercent',
  'batches.linesAtOnce',
  'batches.linesMax',
  'batches.openMax',
  'batches.endedMax',
  'limits.bodyBytesMax',
  'limits.uploadBytesMax',
  'limits.fileBytesMax',
  'limits.accountFilesBytesMax',
  'limits.accountFilesMax',
  'limits.answerBytesMax',
  'limits.parsedValuesMax',
  'limits.parsedTextBytesMax',
  'limits.inFlightMax',
  'limits.loopDelayMs',
  'limits.headersMax',
  'timeouts.firstByteStreamedMs',
  'timeouts.firstByteMs',
  'timeouts.idleMs',
  'timeouts.writeStallMs',
  'timeouts.pingMs',
  'timeouts.drainMs',
  'timeouts.drainDelayMs',
]);

export interface ChangedOptions {
  /** Paths of options that take effect at once. */
  readonly live: readonly string[];
  /** Paths of those that need a restart. */
  readonly needRestart: readonly string[];
}

export function changedOptions(before: Config, after: Config): ChangedOptions {
  const changed = differences(before, after, '');
  return {
    live: changed.filter((path) => LIVE.has(path)),
    needRestart: changed.filter((path) => !LIVE.has(path)),
  };
}

/** `before` with the options of `after` that take effect at once. */
export function withLiveOptions(before: Config, after: Config): Config {
  return {
    ...before,
    providers: after.providers,
    batches: pick(before.batches, after.batches, 'batches'),
    billing: pick(before.billing, after.billing, 'billing'),
    limits: pick(before.limits, after.limits, 'limits'),
    timeouts: pick(before.timeouts, after.timeouts, 'timeouts'),
  };
}

function pick<Group extends object>(before: Group, after: Group, name: string): Group {
  const live = Object.entries(after).filter(([option]) => LIVE.has(`${name}.${option}`));
  return { ...before, ...Object.fromEntries(live) };
}

function differences(before: object, after: object, path: string): string[] {
  return Object.keys({ ...before, ...after }).flatMap((name) => {
    const [one, other] = [fieldOf(before, name), fieldOf(after, name)];
    if (isSame(one, other)) return [];
    const place = path === '' ? name : `${path}.${name}`;
    return isGroup(one) && isGroup(other) ? differences(one, other, place) : [place];
  });
}

function fieldOf(object: object, name: string): unknown {
  return (object as Readonly<Record<string, unknown>>)[name];
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Secret);
}

/** Whether two values of a configuration are the same, secrets by what they hide. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (one instanceof Secret || other instanceof Secret)
    return one instanceof Secret && other instanceof Secret && one.reveal() === other.reveal();
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys({ ...one, ...other });
  return names.every((name) => isSame(fieldOf(one, name), fieldOf(other, name)));
}
