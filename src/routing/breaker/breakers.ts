/**
 * Which providers are asked, by what calls to them have shown, for each provider and model; and with which of a provider's credentials.
 * Everything is in memory and belongs to the provider object: after a change of its settings it is a new object, with no history.
 * What is shown to operators is `telemetry/provider-health.ts`.
 */
import type { Clock } from '../../core/clock.ts';
import type { Readiness } from '../ports.ts';
import { Circuit } from './circuit.ts';
import { worseOf } from './compare-readiness.ts';
import { type CredentialChange, CredentialRests, FORBIDDEN } from './credential-rests.ts';
import { Failures, type Suspect } from './failures.ts';

/** Identified by the object itself. */
export interface BreakerSubject {
  readonly name: string;
  /** How many credentials it has; 0 if it needs none. */
  readonly credentialCount: number;
  /** Set if its credential is a member's own: no operator is alerted. */
  readonly isMembers?: boolean;
  /** The last characters of each credential, and by what it is recognised: see `Provider`. */
  readonly credentialHints?: readonly (string | null)[];
  readonly credentialMarks?: readonly string[];
}

/** An attempt at a provider. */
export interface AttemptAt {
  readonly provider: BreakerSubject;
  /** The model's public id. */
  readonly model: string;
  /** The number of its credential, as `begin` returned it. */
  readonly credential: number;
  /** When it began; monotonic, ms. */
  readonly askedAt: number;
}

/** What `begin` returns if the provider rests. */
export const RESTS = -1;

export type BreakerChange = CredentialChange & {
  readonly provider: string;
  readonly hint: string | null;
  readonly mark: string | null;
};

/** Which of a provider's credentials a call is signed with, if it can be chosen. */
export interface WantedCredential {
  readonly credential: number;
  /** Whether no other one will do. */
  readonly isOnly: boolean;
}

/** What rests, as a call has found out. */
export interface FoundRest {
  readonly provider: BreakerSubject;
  /** Null for all models. */
  readonly model: string | null;
  /** Null if it is not because of a credential. */
  readonly credential: number | null;
  readonly forMs: number;
}

/** A provider that answers here rests for nobody else's sake. */
const ANSWERS_MS = 5_000;
const ADVISED_MS_MAX = 30_000;

export class Breakers {
  /** Called with what is found to rest, of the operator's own providers, unless it may be one account's doing. Must not throw. */
  onRest: (rest: FoundRest) => void = () => undefined;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #onChange: (change: BreakerChange) => void;
  readonly #entries = new WeakMap<BreakerSubject, Entry>();

  /** `onChange` is called once whenever a credential is rejected, or accepted again. */
  constructor(clock: Pick<Clock, 'monotonic'>, onChange: (change: BreakerChange) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** Changes nothing, and allocates nothing. */
  readiness(provider: BreakerSubject, model: string): Readiness {
    const entry = this.#entries.get(provider);
    if (entry === undefined) return 'ready';
    const nowMs = this.#clock.monotonic();
    const breaker = entry.breakers.get(model);
    const ofCredentials = entry.credentials.readiness(model, nowMs);
    return breaker === undefined ? ofCredentials : worseOf(ofCredentials, breaker.circuit.readiness(nowMs));
  }

  /** Whether all its credentials rest for the model, for the reason that is shown. */
  isCredentialResting(provider: BreakerSubject, model: string): boolean {
    const readiness = this.#entries.get(provider)?.credentials.readiness(model, this.#clock.monotonic());
    return typeof readiness === 'object';
  }

  /**
   * An attempt is about to be made: returns the number of the credential to sign it with, and takes the probe if it is time for one. `RESTS`
   * if another call was quicker to take that, or it rests; never if the call must be made, because nothing else is left. Credentials take
   * turns, unless one is `wanted`. What rests after failures of one account alone is still asked for another: `account` is whose call it is,
   * null if that is not known.
   */
  begin(
    provider: BreakerSubject,
    model: string,
    isMust: boolean,
    wanted: WantedCredential | null = null,
    account: number | null = null,
  ): number {
    const entry = this.#entryOf(provider);
    const breaker = entry.breakers.get(model);
    const circuit = breaker?.circuit;
    if (wanted === null && isCalm(entry, circuit)) return entry.credentials.takeNext();
    const nowMs = this.#clock.monotonic();
    if (!isMust) {
      if (breaker !== undefined && restsFor(breaker, account, nowMs)) return RESTS;
      const ofCredentials =
        wanted?.isOnly === true
          ? entry.credentials.readinessOf(wanted.credential, model, nowMs)
          : entry.credentials.readiness(model, nowMs);
      if (typeof ofCredentials === 'object') return RESTS;
    }
    circuit?.begin(nowMs);
    return wanted !== null && isTaken(entry.credentials, wanted, model, nowMs)
      ? entry.credentials.takeThis(wanted.credential, model, nowMs)
      : entry.credentials.take(model, nowMs);
  }

  /** A 2xx answer has begun: others may be asked for one too, but the next failure is enough until one is complete. */
  answered(at: AttemptAt): void {
    const entry = this.#entries.get(at.provider);
    const breaker = entry?.breakers.get(at.model);
    if (entry === undefined || isCalm(entry, breaker?.circuit)) return;
    noteAnswered(entry, breaker, at, this.#clock.monotonic());
  }

  /** An answer was complete. `account`: whose call it was. */
  good(at: AttemptAt, account: number): void {
    const entry = this.#entryOf(at.provider);
    const breaker = breakerOf(entry, at.model);
    const nowMs = this.#clock.monotonic();
    noteAnswered(entry, breaker, at, nowMs);
    if (breaker.circuit.isNews(at.askedAt)) breaker.failures.good(nowMs, account);
  }

  /**
   * The provider failed. `restMs`: what it asked for; null if it did not say. `isLoss`: the caller gets no answer, though another provider
   * is ready to give one.
   */
  failed(
    { provider, model, credential, askedAt }: AttemptAt,
    suspect: Suspect,
    restMs: number | null,
    isLoss = false,
  ): void {
    const entry = this.#entryOf(provider);
    const breaker = breakerOf(entry, model);
    const { circuit, failures } = breaker;
    const nowMs = this.#clock.monotonic();
    entry.credentials.showedNothing(credential, model, askedAt);
    if (circuit.isOpen) {
      if (suspect !== breaker.openedBy) breaker.openedBy = null;
      circuit.failedOpen(nowMs, askedAt, restMs);
      // Calls that were begun before it was well again say nothing about now.
    } else if (circuit.isNews(askedAt) && failures.failed(nowMs, suspect, isLoss)) {
      circuit.open(nowMs, restMs);
      breaker.openedBy = failures.suspect(nowMs);
      if (breaker.openedBy === null) this.#found(provider, model, null, circuit.readiness(nowMs), nowMs);
    }
  }

  /** The provider asked to wait, with a 429. That is no failure. */
  limited({ provider, model, credential, askedAt }: AttemptAt, restMs: number | null): void {
    const entry = this.#entryOf(provider);
    entry.breakers.get(model)?.circuit.showedNothing(askedAt);
    const nowMs = this.#clock.monotonic();
    entry.credentials.limited(credential, model, nowMs, askedAt, restMs);
    this.#found(provider, model, credential, entry.credentials.readinessOf(credential, model, nowMs), nowMs);
  }

  /**
   * The provider refused the credential, or its account has no money. `status`: the provider's; `account`: whose call it was. Returns false
   * if it says nothing about the credential: a 403 may be about the request, such as words that a provider's moderation does not accept, or
   * the file of somebody else. One account's requests do not rest a credential that answers others.
   */
  rejected(at: AttemptAt, status: number | null, account: number): boolean {
    const { provider, model, credential, askedAt } = at;
    const entry = this.#entryOf(provider);
    const nowMs = this.#clock.monotonic();
    if (status === FORBIDDEN && !breakerOf(entry, model).failures.refused(nowMs, account)) {
      this.showedNothing(at);
      return false;
    }
    entry.breakers.get(model)?.circuit.showedNothing(askedAt);
    entry.credentials.rejected(credential, model, nowMs, askedAt, status);
    const rests = entry.credentials.readinessOf(credential, model, nowMs);
    this.#found(provider, status === FORBIDDEN ? model : null, credential, rests, nowMs);
    return true;
  }

  /**
   * Another process has found that something rests. It is believed for as long as it says, 30 s at most, unless calls have just been answered
   * here; then the next call is the probe. Nobody is alerted: who found it has done that.
   */
  advise({ provider, model, credential, forMs }: FoundRest): void {
    const entry = this.#entryOf(provider);
    const nowMs = this.#clock.monotonic();
    const ofModels = model === null ? [...entry.breakers.values()] : [breakerOf(entry, model)];
    if (ofModels.some(({ failures }) => nowMs - failures.answeredAt < ANSWERS_MS)) return;
    const restMs = Math.min(forMs, ADVISED_MS_MAX);
    if (credential !== null) entry.credentials.advised(credential, model, nowMs, restMs);
    else if (model !== null) breakerOf(entry, model).circuit.limit(nowMs, nowMs, restMs);
  }

  /** The attempt says nothing about the provider: its caller left, or its request was at fault. */
  showedNothing({ provider, model, credential, askedAt }: AttemptAt): void {
    const entry = this.#entries.get(provider);
    if (entry === undefined) return;
    entry.breakers.get(model)?.circuit.showedNothing(askedAt);
    entry.credentials.showedNothing(credential, model, askedAt);
  }

  /** The best credential for a request that is no call, and says nothing about health. */
  credentialFor(provider: BreakerSubject, model: string): number {
    return this.#entries.get(provider)?.credentials.best(model, this.#clock.monotonic()) ?? 0;
  }

  /** Whether a provider has several credentials, and one that does not rest; a call may be what shows that it is well again. */
  hasAnother(provider: BreakerSubject, model: string): boolean {
    return provider.credentialCount > 1 && typeof this.readiness(provider, model) === 'string';
  }

  /** Of one credential: whether it rests for all models, whether because it was rejected, and for which models it was besides. */
  ofCredential(provider: BreakerSubject, credential: number): CredentialState {
    const credentials = this.#entries.get(provider)?.credentials;
    if (credentials === undefined) return WELL;
    return {
      rests: credentials.restOf(credential, this.#clock.monotonic()),
      rejected: credentials.wasRejected(credential),
      modelsRejected: credentials.modelsRejected(credential),
    };
  }

  #found(
    provider: BreakerSubject,
    model: string | null,
    credential: number | null,
    readiness: Readiness,
    nowMs: number,
  ): void {
    if (typeof readiness === 'string' || provider.isMembers === true) return;
    this.onRest({ provider, model, credential, forMs: readiness.until - nowMs });
  }

  #entryOf(provider: BreakerSubject): Entry {
    let entry = this.#entries.get(provider);
    if (entry === undefined) {
      const { name, isMembers, credentialHints, credentialMarks } = provider;
      const report = (change: CredentialChange) => {
        if (isMembers === true) return;
        const { credential } = change;
        const [hint, mark] = [credentialHints?.[credential] ?? null, credentialMarks?.[credential] ?? null];
        this.#onChange({ ...change, provider: name, hint, mark });
      };
      entry = { breakers: new Map(), credentials: new CredentialRests(provider.credentialCount, report) };
      this.#entries.set(provider, entry);
    }
    return entry;
  }
}

export interface CredentialState {
  readonly rests: Readiness;
  readonly rejected: boolean;
  readonly modelsRejected: readonly string[];
}

const WELL: CredentialState = { rests: 'ready', rejected: false, modelsRejected: [] };

function isTaken(credentials: CredentialRests, wanted: WantedCredential, model: string, nowMs: number): boolean {
  return wanted.isOnly || typeof credentials.readinessOf(wanted.credential, model, nowMs) !== 'object';
}

interface Entry {
  /** By model. */
  readonly breakers: Map<string, Breaker>;
  readonly credentials: CredentialRests;
}

interface Breaker {
  readonly circuit: Circuit;
  readonly failures: Failures;
  /** The account whose failures alone have opened it; null if they were of several, or nobody's. */
  openedBy: Suspect;
}

/** Another account's call may show that it was only the requests of that one. */
function restsFor({ circuit, openedBy }: Breaker, account: number | null, nowMs: number): boolean {
  return (
    (openedBy === null || account === null || openedBy === account) && typeof circuit.readiness(nowMs) === 'object'
  );
}

/** Whether nothing rests, as nearly always: then the time does not matter. */
function isCalm({ credentials }: Entry, circuit: Circuit | undefined): boolean {
  return credentials.areCalm && circuit?.isOpen !== true;
}

function noteAnswered(entry: Entry, breaker: Breaker | undefined, at: AttemptAt, nowMs: number): void {
  const { model, credential, askedAt } = at;
  entry.credentials.answered(credential, model, nowMs, askedAt);
  if (breaker?.circuit.answered(nowMs, askedAt)) breaker.failures.distrust();
}

function breakerOf({ breakers }: Entry, model: string): Breaker {
  let breaker = breakers.get(model);
  if (breaker === undefined) {
    breaker = { circuit: new Circuit(), failures: new Failures(), openedBy: null };
    breakers.set(model, breaker);
  }
  return breaker;
}
