/**
 * The credentials of one provider: each rests alone when it is refused or limited, and calls take turns with those that do not. A
 * refusal of the credential itself (401, 402) rests it for every model; one that may be about the model (403), and a limit (429), for
 * that model. A provider without credentials, or with one, is the case of one.
 */
import type { Readiness } from '../ports.ts';
import { Circuit } from './circuit.ts';
import { betterOf, worseOf } from './compare-readiness.ts';

/** A change that an operator should know of. A limit is none: it ends by itself. */
export interface CredentialChange {
  /** Its number at the provider, from 0. */
  readonly credential: number;
  /** Null for all models. */
  readonly model: string | null;
  readonly state: 'rejected' | 'accepted';
  /** The provider's, of a rejection; null if it is not known. */
  readonly status: number | null;
}

export class CredentialRests {
  readonly #all: readonly CredentialRest[];
  readonly #onChange: (change: CredentialChange) => void;
  #next = 0;
  /** How many circuits are open: nearly always none, and then nothing is searched. */
  #open = 0;

  constructor(count: number, onChange: (change: CredentialChange) => void) {
    this.#all = Array.from({ length: Math.max(1, count) }, () => ({ whole: new Circuit(), models: new Map() }));
    this.#onChange = onChange;
  }

  /** Whether none of them rests for any model. */
  get areCalm(): boolean {
    return this.#open === 0;
  }

  /** Of the one that would be taken. `nowMs` is monotonic here and below. */
  readiness(model: string, nowMs: number): Readiness {
    if (this.#open === 0) return 'ready';
    let best: Readiness | null = null;
    for (const each of this.#all) {
      const readiness = readinessOf(each, model, nowMs);
      if (readiness === 'ready') return readiness;
      best = best === null ? readiness : betterOf(best, readiness);
    }
    return best ?? 'ready';
  }

  /** Of one credential, for all models. */
  restOf(credential: number, nowMs: number): Readiness {
    return this.#all[credential]?.whole.readiness(nowMs) ?? 'ready';
  }

  /** For all models. */
  wasRejected(credential: number): boolean {
    return this.#all[credential]?.whole.wasRejected ?? false;
  }

  /** The models that it is rejected for, besides. */
  modelsRejected(credential: number): readonly string[] {
    const models = this.#all[credential]?.models ?? [];
    return [...models].flatMap(([model, { wasRejected }]) => (wasRejected ? [model] : []));
  }

  /** Whether a call may be signed with this one for the model. */
  readinessOf(credential: number, model: string, nowMs: number): Readiness {
    const rest = this.#all[credential];
    return rest === undefined || this.#open === 0 ? 'ready' : readinessOf(rest, model, nowMs);
  }

  /** Takes this one out of turn. */
  takeThis(credential: number, model: string, nowMs: number): number {
    const rest = this.#all[credential];
    if (this.#open > 0) {
      rest?.whole.begin(nowMs);
      rest?.models.get(model)?.begin(nowMs);
    }
    return credential;
  }

  /**
   * The number of the credential for the next call: in turn, among those that are ready or may be probed; if all rest, the one whose rest
   * ends first.
   */
  take(model: string, nowMs: number): number {
    const taken = this.takeThis(this.best(model, nowMs), model, nowMs);
    this.#next = (taken + 1) % this.#all.length;
    return taken;
  }

  /** The same as long as none of them rests. */
  takeNext(): number {
    const taken = this.#next % this.#all.length;
    this.#next = (taken + 1) % this.#all.length;
    return taken;
  }

  /** The one that `take` would return, without taking it. */
  best(model: string, nowMs: number): number {
    const all = this.#all;
    const first = this.#next % all.length;
    if (this.#open === 0) return first;
    let at = first;
    let best: Readiness | null = null;
    for (let step = 0; step < all.length; step += 1) {
      const each = (first + step) % all.length;
      const readiness = readinessOf(all[each] as CredentialRest, model, nowMs);
      // Those that may be probed take their turn, or they would never be.
      if (typeof readiness === 'string') return each;
      if (best !== null && betterOf(best, readiness) === best) continue;
      best = readiness;
      at = each;
    }
    return at;
  }

  /** A 2xx answer to a call begun at `askedAt` has begun. */
  answered(credential: number, model: string, nowMs: number, askedAt: number): void {
    const rest = this.#all[credential];
    if (this.#open === 0 || rest === undefined) return;
    this.#answered(rest.whole, { credential, model: null }, nowMs, askedAt);
    const ofModel = rest.models.get(model);
    if (ofModel !== undefined) this.#answered(ofModel, { credential, model }, nowMs, askedAt);
  }

  /** `forMs`: what the provider asked for; null if it did not say. */
  limited(credential: number, model: string, nowMs: number, askedAt: number, forMs: number | null): void {
    const rest = this.#all[credential];
    if (rest === undefined) return;
    const circuit = circuitOf(rest, model);
    if (!circuit.isOpen) this.#open += 1;
    circuit.limit(nowMs, askedAt, forMs);
  }

  /** Another process has found that it rests: so it does here, and then a call finds out. */
  advised(credential: number, model: string | null, nowMs: number, forMs: number): void {
    const rest = this.#all[credential];
    if (rest === undefined) return;
    const circuit = model === null ? rest.whole : circuitOf(rest, model);
    if (!circuit.isOpen) this.#open += 1;
    circuit.limit(nowMs, nowMs, forMs);
  }

  /** `status`: the provider's. */
  rejected(credential: number, model: string, nowMs: number, askedAt: number, status: number | null): void {
    const rest = this.#all[credential];
    if (rest === undefined) return;
    const isOfModel = status === FORBIDDEN;
    const circuit = isOfModel ? circuitOf(rest, model) : rest.whole;
    if (circuit.isOpen) circuit.failedOpen(nowMs, askedAt, null);
    else if (circuit.isNews(askedAt)) {
      circuit.open(nowMs, null);
      this.#open += 1;
    }
    if (circuit.wasRejected || !circuit.isOpen) return;
    circuit.wasRejected = true;
    this.#onChange({ credential, model: isOfModel ? model : null, state: 'rejected', status });
  }

  /** A call ended without showing anything of its credential. */
  showedNothing(credential: number, model: string, askedAt: number): void {
    const rest = this.#all[credential];
    if (this.#open === 0 || rest === undefined) return;
    rest.whole.showedNothing(askedAt);
    rest.models.get(model)?.showedNothing(askedAt);
  }

  #answered(
    circuit: Circuit,
    of: Pick<CredentialChange, 'credential' | 'model'>,
    nowMs: number,
    askedAt: number,
  ): void {
    if (!circuit.answered(nowMs, askedAt)) return;
    this.#open -= 1;
    if (!circuit.wasRejected) return;
    circuit.wasRejected = false;
    this.#onChange({ ...of, state: 'accepted', status: null });
  }
}

interface CredentialRest {
  readonly whole: Circuit;
  readonly models: Map<string, Circuit>;
}

/** AWS, Google and OpenAI also answer so if the account may not use a model. */
export const FORBIDDEN = 403;

/** The worse of the credential's own and that for the model. */
function readinessOf({ whole, models }: CredentialRest, model: string, nowMs: number): Readiness {
  const own = whole.readiness(nowMs);
  const ofModel = models.get(model)?.readiness(nowMs) ?? 'ready';
  return worseOf(own, ofModel);
}

function circuitOf({ models }: CredentialRest, model: string): Circuit {
  let circuit = models.get(model);
  if (circuit === undefined) {
    circuit = new Circuit();
    models.set(model, circuit);
  }
  return circuit;
}
