/**
 * How calls to each provider, and to each model there, have gone since the start: what operators are shown, and what a
 * choice among targets can go by. It lives in memory alone, for a restart is often the fix. Who calls says how an
 * attempt ended; what was no fault of the provider (a caller that left, a request that it refused) is not noted.
 */
import type { Clock } from '../core/clock.ts';
import { CallHealth, type FailureReason, type HealthFigures } from './call-health.ts';
import { type HealthState, isTrouble } from './health-state.ts';

/** Identified by the object itself: after a change of its settings it is another one, of which nothing is known. */
export interface HealthSubject {
  readonly name: string;
}

/** The state of a provider has changed; of a model there, only where it is not what the provider's own says. */
export interface HealthChange {
  readonly provider: string;
  /** Null for the provider as a whole. */
  readonly model: string | null;
  readonly before: HealthState;
  readonly state: HealthState;
  /** Of the last failure; null where there was none. */
  readonly reason: FailureReason | null;
}

interface Entry {
  readonly whole: CallHealth;
  readonly models: Map<string, ModelHealth>;
}

interface ModelHealth {
  readonly health: CallHealth;
  /** What was last told of it. */
  told: HealthState;
}

export class ProviderHealth {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #onChange: (change: HealthChange) => void;
  #entries: ReadonlyMap<HealthSubject, Entry> = new Map();

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>, onChange: (change: HealthChange) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Only these are noted from now on; of those that were there before, what is known stays. */
  watch(subjects: Iterable<HealthSubject>): void {
    const entries = new Map<HealthSubject, Entry>();
    for (const subject of subjects)
      entries.set(subject, this.#entries.get(subject) ?? { whole: new CallHealth(), models: new Map() });
    this.#entries = entries;
  }

  /** `model` is a public id here and below; `firstByteMs` is from the request to the provider to its first byte. */
  good(subject: HealthSubject, model: string, firstByteMs: number): void {
    const entry = this.#entries.get(subject);
    if (entry === undefined) return;
    const nowMs = this.#clock.monotonic();
    const before = entry.whole.state;
    if (entry.whole.good(nowMs, firstByteMs)) this.#tell(subject, entry, before);
    const of = modelOf(entry, model);
    of.health.good(nowMs, firstByteMs);
    this.#tellModel(subject, entry, model, of);
  }

  failed(subject: HealthSubject, model: string, reason: FailureReason): void {
    this.#note(subject, model, (health, nowMs) => health.failed(nowMs, reason));
  }

  /** The provider itself is well, but it has not got this model. */
  modelFailed(subject: HealthSubject, model: string, reason: FailureReason): void {
    const entry = this.#entries.get(subject);
    if (entry === undefined) return;
    const of = modelOf(entry, model);
    of.health.failed(this.#clock.monotonic(), reason);
    this.#tellModel(subject, entry, model, of);
  }

  limited(subject: HealthSubject, model: string, reason: FailureReason): void {
    this.#note(subject, model, (health, nowMs) => health.limited(nowMs, reason));
  }

  /** A test of its connection was passed: it ends a trouble that was want of a connection and nothing else. */
  reached(subject: HealthSubject): void {
    const entry = this.#entries.get(subject);
    if (entry === undefined) return;
    const nowMs = this.#clock.monotonic();
    const before = entry.whole.state;
    if (entry.whole.reached(nowMs)) this.#tell(subject, entry, before);
    for (const of of entry.models.values()) {
      if (of.health.reached(nowMs)) of.told = of.health.state;
    }
  }

  /** Null for one that is not watched. */
  of(subject: HealthSubject): HealthFigures | null {
    return this.#entries.get(subject)?.whole.figures(this.#clock.monotonic()) ?? null;
  }

  /** Those that were called, in no order. */
  modelsOf(subject: HealthSubject): readonly { readonly model: string; readonly figures: HealthFigures }[] {
    const nowMs = this.#clock.monotonic();
    const models = this.#entries.get(subject)?.models ?? [];
    return [...models].map(([model, { health }]) => ({ model, figures: health.figures(nowMs) }));
  }

  /** Null where the model was not called there. */
  ofModel(subject: HealthSubject, model: string): HealthFigures | null {
    return this.#entries.get(subject)?.models.get(model)?.health.figures(this.#clock.monotonic()) ?? null;
  }

  /** From a time of `HealthFigures` to wall time, ms. */
  wallTime(monotonicMs: number): number {
    return this.#clock.now() - (this.#clock.monotonic() - monotonicMs);
  }

  #note(subject: HealthSubject, model: string, note: (health: CallHealth, nowMs: number) => boolean): void {
    const entry = this.#entries.get(subject);
    if (entry === undefined) return;
    const nowMs = this.#clock.monotonic();
    const before = entry.whole.state;
    if (note(entry.whole, nowMs)) this.#tell(subject, entry, before);
    const of = modelOf(entry, model);
    note(of.health, nowMs);
    this.#tellModel(subject, entry, model, of);
  }

  #tell({ name }: HealthSubject, { whole }: Entry, before: HealthState): void {
    this.#changed({ provider: name, model: null, before, state: whole.state }, whole);
  }

  /** While the provider is in the same trouble, that of a model is no news. */
  #tellModel({ name }: HealthSubject, { whole }: Entry, model: string, of: ModelHealth): void {
    const { state } = of.health;
    const before = of.told;
    if (state === before || (isTrouble(state) && isTrouble(whole.state))) return;
    of.told = state;
    this.#changed({ provider: name, model, before, state }, of.health);
  }

  #changed(change: Omit<HealthChange, 'reason'>, health: CallHealth): void {
    if (!isTrouble(change.before) && !isTrouble(change.state)) return;
    this.#onChange({ ...change, reason: health.figures(this.#clock.monotonic()).lastFailure?.reason ?? null });
  }
}

function modelOf({ models }: Entry, model: string): ModelHealth {
  const known = models.get(model);
  if (known !== undefined) return known;
  const made: ModelHealth = { health: new CallHealth(), told: 'unknown' };
  models.set(model, made);
  return made;
}
