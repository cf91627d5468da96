/**
 * The health of each provider, and of each model there, since the start: shown to operators, and usable for
 * choosing among targets. It is kept in memory only, because a restart is often the fix. The code that calls a provider reports
 * how each attempt ended; what is not the provider's fault (a caller that left, a request that it refused) is not reported.
 */
import type { Clock } from '../core/clock.ts';
import { CallHealth, type FailureReason, type HealthFigures } from './call-health.ts';
import { type HealthState, isTrouble } from './health-state.ts';
import type { PaceFigures, PacePercentiles } from './pace-samples.ts';
import { Uptime, type UptimeFigures } from './uptime.ts';

/** Identified by the object itself: after a change of settings it is a new object, with no history. */
export interface HealthSubject {
  readonly name: string;
}

/** A change in the state of a provider, or of a model there if the provider's own state does not already imply it. */
export interface HealthChange {
  readonly provider: string;
  /** Null for the provider as a whole. */
  readonly model: string | null;
  readonly before: HealthState;
  readonly state: HealthState;
  /** The reason of the last failure; null if there was none. */
  readonly reason: FailureReason | null;
}

/** How a model does at a provider, as its callers may see it. */
export interface SeenHealth {
  readonly state: HealthState;
  readonly uptime: UptimeFigures;
  /** Of the streams of the last half hour; null without one. */
  readonly pace: PacePercentiles | null;
}

interface Entry {
  readonly whole: CallHealth;
  readonly models: Map<string, ModelHealth>;
}

interface ModelHealth {
  readonly health: CallHealth;
  readonly uptime: Uptime;
  /** The state that was last reported. */
  reported: HealthState;
}

export class ProviderHealth {
  readonly #clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly #onChange: (change: HealthChange) => void;
  #entries: ReadonlyMap<HealthSubject, Entry> = new Map();

  constructor(clock: Pick<Clock, 'now' | 'monotonic'>, onChange: (change: HealthChange) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Tracks only these from now on; those that were tracked before keep their history. */
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
    if (entry.whole.good(nowMs, firstByteMs)) this.#report(subject, entry, before);
    const of = modelOf(entry, model);
    of.health.good(nowMs, firstByteMs);
    of.uptime.good(nowMs);
    this.#reportModel(subject, entry, model, of);
  }

  /** A good call was a stream: the time to its first token, and how fast the others followed. */
  streamed(subject: HealthSubject, model: string, firstTokenMs: number, tokensPerSecond: number): void {
    const entry = this.#entries.get(subject);
    if (entry === undefined) return;
    const nowMs = this.#clock.monotonic();
    entry.whole.streamed(nowMs, firstTokenMs, tokensPerSecond);
    modelOf(entry, model).health.streamed(nowMs, firstTokenMs, tokensPerSecond);
  }

  /** How fast a provider has lately streamed with a model, for choosing; null without a stream in the last ten minutes. */
  pace(subject: HealthSubject, model: string): PaceFigures | null {
    return this.#entries.get(subject)?.models.get(model)?.health.pace(this.#clock.monotonic()) ?? null;
  }

  failed(subject: HealthSubject, model: string, reason: FailureReason): void {
    this.#note(subject, model, (health, nowMs) => health.failed(nowMs, reason))?.uptime.failed(this.#clock.monotonic());
  }

  /** The provider itself is fine, but does not have this model. */
  modelFailed(subject: HealthSubject, model: string, reason: FailureReason): void {
    const entry = this.#entries.get(subject);
    if (entry === undefined) return;
    const of = modelOf(entry, model);
    const nowMs = this.#clock.monotonic();
    of.health.failed(nowMs, reason);
    of.uptime.failed(nowMs);
    this.#reportModel(subject, entry, model, of);
  }

  limited(subject: HealthSubject, model: string, reason: FailureReason): void {
    this.#note(subject, model, (health, nowMs) => health.limited(nowMs, reason));
  }

  /** A connection test succeeded: this ends a problem that consisted of failures to connect only. */
  reached(subject: HealthSubject): void {
    const entry = this.#entries.get(subject);
    if (entry === undefined) return;
    const nowMs = this.#clock.monotonic();
    const before = entry.whole.state;
    if (entry.whole.reached(nowMs)) this.#report(subject, entry, before);
    for (const of of entry.models.values()) {
      if (of.health.reached(nowMs)) of.reported = of.health.state;
    }
  }

  /** Null for a provider that is not watched. */
  of(subject: HealthSubject): HealthFigures | null {
    return this.#entries.get(subject)?.whole.figures(this.#clock.monotonic()) ?? null;
  }

  /** The models that were called, in no particular order. */
  modelsOf(subject: HealthSubject): readonly { readonly model: string; readonly figures: HealthFigures }[] {
    const nowMs = this.#clock.monotonic();
    const models = this.#entries.get(subject)?.models ?? [];
    return [...models].map(([model, { health }]) => ({ model, figures: health.figures(nowMs) }));
  }

  /** The ids of the models that were called, in no particular order. */
  namesOf(subject: HealthSubject): Iterable<string> {
    return this.#entries.get(subject)?.models.keys() ?? [];
  }

  /** Null if the model was not called there. */
  ofModel(subject: HealthSubject, model: string): HealthFigures | null {
    return this.#entries.get(subject)?.models.get(model)?.health.figures(this.#clock.monotonic()) ?? null;
  }

  /** What callers may see of a model at a provider; null if it was not called there. */
  seenOf(subject: HealthSubject, model: string): SeenHealth | null {
    const of = this.#entries.get(subject)?.models.get(model);
    if (of === undefined) return null;
    const nowMs = this.#clock.monotonic();
    return {
      state: of.health.figures(nowMs).state,
      uptime: of.uptime.figures(nowMs),
      pace: of.health.percentiles(nowMs),
    };
  }

  /** From a time of `HealthFigures` to wall time, ms. */
  wallTime(monotonicMs: number): number {
    return this.#clock.now() - (this.#clock.monotonic() - monotonicMs);
  }

  /** Null for a provider that is not watched. */
  #note(
    subject: HealthSubject,
    model: string,
    note: (health: CallHealth, nowMs: number) => boolean,
  ): ModelHealth | null {
    const entry = this.#entries.get(subject);
    if (entry === undefined) return null;
    const nowMs = this.#clock.monotonic();
    const before = entry.whole.state;
    if (note(entry.whole, nowMs)) this.#report(subject, entry, before);
    const of = modelOf(entry, model);
    note(of.health, nowMs);
    this.#reportModel(subject, entry, model, of);
    return of;
  }

  #report({ name }: HealthSubject, { whole }: Entry, before: HealthState): void {
    this.#changed({ provider: name, model: null, before, state: whole.state }, whole);
  }

  /** While the provider itself has a problem, a model's problem is not reported. */
  #reportModel({ name }: HealthSubject, { whole }: Entry, model: string, of: ModelHealth): void {
    const { state } = of.health;
    const before = of.reported;
    if (state === before || (isTrouble(state) && isTrouble(whole.state))) return;
    of.reported = state;
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
  const made: ModelHealth = { health: new CallHealth(), uptime: new Uptime(), reported: 'unknown' };
  models.set(model, made);
  return made;
}
