/**
 * Finds what a translated answer loses in silence: a value on which neither what a caller gets depends, nor a warning, nor what is metered.
 * In a whole answer each value is changed and removed. In a stream, which says most things several times, all values of one name are: those
 * of the same field in objects of the same field.
 */
import { isDeepStrictEqual } from 'node:util';
import { PEEK } from '../../src/dialects/contract-fixture.ts';
import { type CallerDialectName, type ProviderDialectName, providerDialects } from '../../src/dialects/index.ts';
import { WholeAnswer } from '../../src/dialects/kit/relay/whole-answer.ts';
import { isEmpty } from '../../src/dialects/kit/request/request-values.ts';
import { Frame } from '../../src/wire/frames/frame.ts';
import { callerNames } from '../golden/fixtures.ts';
import { framesOf } from '../golden/framing-of.ts';
import { readWhole, writeStream, writeWhole } from '../golden/translate.ts';
import { changed, leavesOf, named, type Place, valueAt, without } from './json-places.ts';
import type { IsChosen } from './sample.ts';

export interface SilentValue {
  readonly to: CallerDialectName;
  /** The last two names of the path, as `message.role`. */
  readonly place: string;
  readonly streamed: boolean;
  readonly value: unknown;
  /** The warnings about the whole answer. */
  readonly warnings: readonly string[];
}

/** An answer as a provider sent it. */
export interface Answer {
  readonly bytes: Buffer;
  readonly streamed: boolean;
}

/** `isChosen`: by the names that `namesOf` returns. */
export function silentValues(
  from: ProviderDialectName,
  answer: Answer,
  isChosen: IsChosen = () => true,
): readonly SilentValue[] {
  const isJudged: IsChosen = (end) => isChosen(nameOf(answer, end));
  return answer.streamed ? silentInStream(from, answer.bytes, isJudged) : silentInWhole(from, answer.bytes, isJudged);
}

/** The names of what is judged: a value of a stream has another name than one of a whole answer. */
export function namesOf(from: ProviderDialectName, answer: Answer): readonly string[] {
  const values = answer.streamed
    ? framesOf(from, answer.bytes).map((frame) => frame.json())
    : readWhole(from, answer.bytes) === null
      ? []
      : [JSON.parse(answer.bytes.toString()) as unknown];
  return values.flatMap((value) => placesIn(value).map((place) => nameOf(answer, endOf(place))));
}

function nameOf({ streamed }: Answer, end: string): string {
  return streamed ? `stream: ${end}` : end;
}

/** Of everything that says something of its own. */
function placesIn(value: unknown): readonly Place[] {
  return [...leavesOf(value)].filter((place) => !isDefault(valueAt(value, place)) && !ECHOED.test(named(place)));
}

interface Outcome {
  /** What the caller gets, and what is metered. */
  readonly said: string;
  readonly warnings: readonly string[];
}

/** The tools and the schema of the request, which a response repeats; the tools of an MCP server are in an item whose loss is reported. */
const ECHOED = /^(response\.)?(tools|text)(\[\])?\.|(item|output\[\])\.tools\[\]\./;

type Found = Omit<SilentValue, 'streamed'>;
type Outcomes = ReadonlyMap<CallerDialectName, Outcome>;

function silentInWhole(from: ProviderDialectName, bytes: Buffer, isChosen: IsChosen): readonly SilentValue[] {
  const before = outcomesOfWhole(from, bytes);
  if (before === null) return [];
  const answer: unknown = JSON.parse(bytes.toString());
  const silent = new Map<string, Found>();
  const heard = new Set<string>();
  for (const place of placesIn(answer)) {
    if (!isChosen(endOf(place))) continue;
    const value = valueAt(answer, place);
    const others = othersOf(value).flatMap((other) => {
      const outcomes = outcomesOfWhole(from, Buffer.from(JSON.stringify(changed(answer, place, other))));
      return outcomes === null ? [] : [outcomes];
    });
    const unreported = new Map([...before].filter(([to, outcome]) => !isReported(from, answer, place, to, outcome)));
    note(endOf(place), value, unreported, others, silent, heard);
  }
  return [...silent].filter(([key]) => !heard.has(key)).map(([, found]) => ({ ...found, streamed: false }));
}

function silentInStream(from: ProviderDialectName, bytes: Buffer, isChosen: IsChosen): readonly SilentValue[] {
  const frames = framesOf(from, bytes);
  const before = outcomesOfStream(from, frames);
  // A stream that broke off, or failed, is an error.
  if (before === null) return [];
  const places = new Map<string, unknown>();
  for (const frame of frames) {
    for (const place of placesIn(frame.json())) {
      if (place.length > 0 && isChosen(endOf(place))) places.set(endOf(place), valueAt(frame.json(), place));
    }
  }
  const silent = new Map<string, Found>();
  const heard = new Set<string>();
  for (const [end, value] of places) {
    const others = othersOf(value).flatMap((_other, way) => {
      const outcomes = outcomesOfStream(
        from,
        frames.map((frame) => withChanged(frame, end, way)),
      );
      return outcomes === null ? [] : [outcomes];
    });
    note(end, value, before, others, silent, heard);
  }
  return [...silent.values()].map((found) => ({ ...found, streamed: true }));
}

function note(
  place: string,
  value: unknown,
  before: Outcomes,
  others: readonly Outcomes[],
  silent: Map<string, Found>,
  heard: Set<string>,
): void {
  if (others.length === 0) return;
  for (const [to, outcome] of before) {
    const key = `${to} ${place}`;
    if (others.some((other) => !isSame(other.get(to), outcome))) heard.add(key);
    else if (!silent.has(key)) silent.set(key, { to, place, value, warnings: outcome.warnings });
  }
}

function isSame(other: Outcome | undefined, { said, warnings }: Outcome): boolean {
  return other?.said === said && isDeepStrictEqual(other.warnings, warnings);
}

/** Whether a warning, and nothing else, depends on something that contains the place, or on all places of its name. */
function isReported(from: ProviderDialectName, answer: unknown, place: Place, to: CallerDialectName, before: Outcome) {
  for (let length = place.length; length > 0; length -= 1) {
    const around = place.slice(0, length);
    for (const less of [changed(answer, around, undefined), without(answer, named(around))]) {
      const after = outcomesOfWhole(from, Buffer.from(JSON.stringify(less)))?.get(to);
      if (after?.said === before.said && !isDeepStrictEqual(after.warnings, before.warnings)) return true;
    }
  }
  return false;
}

/** Null if it is no answer. */
function outcomesOfWhole(from: ProviderDialectName, bytes: Buffer): Outcomes | null {
  const response = readWhole(from, bytes);
  if (response === null) return null;
  const meter = providerDialects[from].openMeter(PEEK);
  meter.body(new WholeAnswer(bytes));
  const metered = JSON.stringify([meter.usage(), meter.finishReason]);
  return new Map(
    othersThan(from).map((to) => {
      const written = writeWhole(to, response);
      return [to, { said: `${metered}${written.bytes}`, warnings: written.warnings }];
    }),
  );
}

/** Null if it does not end, or with an error. */
function outcomesOfStream(from: ProviderDialectName, frames: readonly Frame[]): Outcomes | null {
  const reader = providerDialects[from].openReader();
  const meter = providerDialects[from].openMeter(PEEK);
  const events = frames.flatMap((frame) => {
    meter.frame(frame);
    return reader.frame(frame);
  });
  if (meter.state === 'open') return null;
  events.push(...reader.end());
  if (events.some(({ type }) => type === 'error')) return null;
  const metered = JSON.stringify([meter.state, meter.usage(), meter.finishReason]);
  return new Map(
    othersThan(from).map((to) => {
      const written = writeStream(to, events);
      return [to, { said: `${metered}${written.bytes}`, warnings: written.warnings }];
    }),
  );
}

function othersThan(from: ProviderDialectName): readonly CallerDialectName[] {
  return callerNames.filter((to) => String(to) !== from);
}

/** A frame with every value at the end of this name changed in the same way. */
function withChanged(frame: Frame, end: string, way: number): Frame {
  const json = frame.json();
  let other = json;
  for (const place of [...leavesOf(json)].reverse()) {
    if (place.length === 0 || endOf(place) !== end) continue;
    other = changed(other, place, othersOf(valueAt(json, place))[way]);
  }
  return other === json ? frame : new Frame(frame.bytes, frame.event, Buffer.from(JSON.stringify(other)), -1);
}

/** The last two names. */
function endOf(place: Place): string {
  return place
    .filter((step) => typeof step === 'string')
    .slice(-2)
    .join('.');
}

function othersOf(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return [undefined, `${value}x`];
  if (typeof value === 'number') return [undefined, value + 1];
  return typeof value === 'boolean' ? [undefined, !value] : [undefined];
}

function isDefault(value: unknown): boolean {
  return value === false || value === '' || value === 0 || isEmpty(value);
}
