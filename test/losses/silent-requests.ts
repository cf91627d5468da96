/**
 * Finds what a translated request loses in silence: a value that the provider's request does not depend on and that no warning reports. A
 * value is changed, removed or added; if the provider's request and the warnings stay what they were, it says nothing there.
 */
import type { ChatRequest } from '../../src/chat/request.ts';
import type { CallerDialectName, ProviderDialectName } from '../../src/dialects/index.ts';
import { isEmpty } from '../../src/dialects/kit/request/request-values.ts';
import { providerNames, type RequestFixture, requestFixtures } from '../golden/fixtures.ts';
import { type NamedTarget, targetsOf } from '../golden/targets.ts';
import { readFixture, writeNeutral } from '../golden/translate.ts';
import { changed, leavesOf, named, objectsOf, type Place, valueAt, without } from './json-places.ts';
import type { IsChosen } from './sample.ts';

export interface Silence {
  readonly from: CallerDialectName;
  readonly fixture: string;
  readonly to: ProviderDialectName;
  readonly target: string;
  /** As `messages[].content[].text`. */
  readonly place: string;
  readonly value: unknown;
  readonly request: RequestFixture['request'];
  /** The warnings about the whole request. */
  readonly warnings: readonly string[];
}

/** A field that no format has. */
export const UNKNOWN = 'tidal_wave';

/** A model of a provider. */
interface Aim {
  readonly to: ProviderDialectName;
  readonly named: NamedTarget;
}

/** Null if it was refused. */
type Outcome = { readonly body: string; readonly warnings: string } | null;

export class SilenceFinder {
  readonly #from: CallerDialectName;
  readonly #aims: readonly Aim[];
  /** Every value that a fixture has at a place of this name. */
  readonly #values = new Map<string, Map<string, unknown>>();
  /** Every field that a fixture has in an object of this name. */
  readonly #fields = new Map<string, Map<string, readonly [field: string, value: unknown]>>();
  /** The fixture itself, with which most others are compared. */
  #last: { readonly request: unknown; readonly read: ChatRequest | null } | null = null;
  readonly #outcomes = new WeakMap<ChatRequest, Map<Aim, Outcome>>();
  tried = 0;

  constructor(from: CallerDialectName) {
    this.#from = from;
    this.#aims = providerNames
      .filter((to) => String(to) !== from)
      .flatMap((to) => targetsOf(to).map((target) => ({ to, named: target })));
    for (const { request } of requestFixtures(from)) this.#learn(request);
  }

  /** The names of what `find` judges: of places, and of fields that are added. */
  namesOf({ request }: RequestFixture, once: boolean): readonly string[] {
    return [
      ...[...leavesOf(request)].filter((place) => !isDefault(valueAt(request, place))).map(named),
      ...[...objectsOf(request)].flatMap((place) =>
        [...this.#fieldsFor(request, place, once)].map(([field]) => addedName(place, field)),
      ),
    ];
  }

  /** `once`: only the first place of each name is judged. */
  *find(fixture: RequestFixture, once = false, isChosen: IsChosen = () => true): Iterable<Silence> {
    const seen = new Set<string>();
    for (const place of leavesOf(fixture.request)) {
      if ((once && seen.has(named(place))) || isDefault(valueAt(fixture.request, place))) continue;
      if (!isChosen(named(place))) continue;
      seen.add(named(place));
      yield* this.#judge(fixture, fixture.request, place, this.#othersAt(fixture.request, place));
    }
    for (const place of objectsOf(fixture.request)) {
      const name = named(place);
      for (const [field, value] of this.#fieldsFor(fixture.request, place, once)) {
        const key = `${name} ${field} ${JSON.stringify(value)}`;
        if (seen.has(key) || !isChosen(addedName(place, field))) continue;
        seen.add(key);
        const whole = [...place, field];
        const added = changed(fixture.request, whole, value) as RequestFixture['request'];
        yield* this.#judge(fixture, added, whole, [fixture.request]);
      }
    }
  }

  /** Whether `request` is the same to a target as the others, without a warning about this place. */
  *#judge(
    fixture: RequestFixture,
    request: RequestFixture['request'],
    place: Place,
    others: readonly unknown[],
  ): Iterable<Silence> {
    const before = this.#read(fixture, request);
    if (before === null) return;
    const read = others.map((other) => this.#read(fixture, other)).filter((other) => other !== null);
    if (read.length === 0) return;
    for (const aim of this.#aims) {
      const outcome = this.#outcomeOf(before, aim);
      if (outcome === null || read.some((other) => !isSame(this.#outcomeOf(other, aim), outcome))) continue;
      if (this.#isReported(fixture, request, place, outcome, aim)) continue;
      yield {
        from: this.#from,
        fixture: fixture.name,
        to: aim.to,
        target: aim.named.name,
        place: named(place),
        value: valueAt(request, place),
        request,
        warnings: JSON.parse(outcome.warnings),
      };
    }
  }

  /** Whether a warning, and nothing else, depends on this place or on something that contains it. */
  #isReported(
    fixture: RequestFixture,
    request: RequestFixture['request'],
    place: Place,
    outcome: Exclude<Outcome, null>,
    aim: Aim,
  ): boolean {
    for (let length = place.length; length > 0; length -= 1) {
      const around = place.slice(0, length);
      for (const less of [changed(request, around, undefined), without(request, named(around))]) {
        const read = this.#read(fixture, less);
        const after = read === null ? null : this.#outcomeOf(read, aim);
        if (after !== null && after.body === outcome.body && after.warnings !== outcome.warnings) return true;
      }
    }
    return false;
  }

  #read(fixture: RequestFixture, request: unknown): ChatRequest | null {
    const last = this.#last;
    if (last !== null && request === last.request) return last.read;
    this.tried += 1;
    const read = readFixture({ ...fixture, request: request as RequestFixture['request'] });
    const known = read.type === 'refused' ? null : read.request;
    if (request === fixture.request) this.#last = { request, read: known };
    return known;
  }

  #outcomeOf(request: ChatRequest, aim: Aim): Outcome {
    if (request !== this.#last?.read) return outcomeOf(request, aim);
    const known = this.#outcomes.get(request) ?? new Map<Aim, Outcome>();
    this.#outcomes.set(request, known);
    const outcome = known.get(aim) ?? outcomeOf(request, aim);
    known.set(aim, outcome);
    return outcome;
  }

  #learn(request: RequestFixture['request']): void {
    for (const place of leavesOf(request)) {
      entryOf(this.#values, named(place)).set(JSON.stringify(valueAt(request, place)), valueAt(request, place));
    }
    for (const place of objectsOf(request)) {
      for (const field of Object.entries(valueAt(request, place) as object)) {
        entryOf(this.#fields, named(place)).set(JSON.stringify(field), field);
      }
    }
  }

  #othersAt(request: RequestFixture['request'], place: Place): readonly unknown[] {
    const value = valueAt(request, place);
    const known = [...(this.#values.get(named(place))?.values() ?? [])].slice(0, VALUES_MAX);
    const others = [undefined, ...known, ...variationsOf(value)].filter((other) => !isEqual(other, value));
    return others.map((other) => changed(request, place, other));
  }

  *#fieldsFor(request: unknown, place: Place, once: boolean): Iterable<readonly [field: string, value: unknown]> {
    yield [UNKNOWN, 'spring'];
    if (once) return;
    const own = valueAt(request, place) as object;
    for (const entry of this.#fields.get(named(place))?.values() ?? [])
      if (!(entry[0] in own || isDefault(entry[1]))) yield entry;
  }
}

const VALUES_MAX = 6;

function addedName(place: Place, field: string): string {
  return `${named(place)} + ${field}`;
}

function outcomeOf(request: ChatRequest, { to, named: { target } }: Aim): Outcome {
  const written = writeNeutral(request, to, target);
  if (written.type === 'refused') return null;
  const { body, headers, stop, warnings } = written;
  const { reasoning, oldFunctions } = request;
  return {
    body: JSON.stringify([body, headers, stop, reasoning?.hidden, oldFunctions]),
    warnings: JSON.stringify([...warnings].sort()),
  };
}

function isSame(other: Outcome, outcome: Exclude<Outcome, null>): boolean {
  return other !== null && other.body === outcome.body && other.warnings === outcome.warnings;
}

function variationsOf(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return [`${value}x`];
  if (typeof value === 'number') return [value + 1, value / 2];
  return typeof value === 'boolean' ? [!value] : [];
}

/** Null, nothing in it, or the default of every switch: leaving it out changes nothing. */
function isDefault(value: unknown): boolean {
  return value === false || value === '' || isEmpty(value);
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function entryOf<Value>(map: Map<string, Map<string, Value>>, name: string): Map<string, Value> {
  const entry = map.get(name) ?? new Map<string, Value>();
  map.set(name, entry);
  return entry;
}
