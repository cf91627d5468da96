/**
 * Which of a call's candidates is tried next, and with which of its provider's credentials: the first that does not rest; the first of
 * all if every one rests, because a call is always tried. After a failure, another one that does not rest, as long as the retry budget
 * of this process lasts.
 */
import { assert } from '../../core/assert.ts';
import type { Provider } from '../../providers/provider.ts';
import { type Breakers, RESTS } from '../../routing/breaker/breakers.ts';
import type { Candidate } from '../../routing/candidate.ts';
import type { PinnedCredential } from '../../routing/pinned-credential.ts';
import type { RetryBudget } from '../../routing/retry-budget.ts';
import type { AttemptReason } from '../../stats/record.ts';
import { ATTEMPTS_MAX } from '../admission/admit.ts';
import type { Call } from '../call.ts';
import type { Admitted } from '../phases.ts';
import type { FailedAttempt } from './failed-attempt.ts';

export interface TurnPorts {
  readonly breakers: Pick<Breakers, 'begin' | 'hasAnother' | 'readiness'>;
  readonly retries: Pick<RetryBudget, 'countCall' | 'isSpent' | 'take'>;
}

export interface Turn {
  readonly candidate: Candidate;
  /** The number of the provider's credential. */
  readonly credential: number;
  readonly reason: AttemptReason;
  /** Whether to open a connection: those that are kept may all be closed at their other end. */
  readonly onNewConnection: boolean;
}

export class Turns {
  readonly #ports: TurnPorts;
  readonly #call: Admitted;
  /** The place of the next candidate. */
  #next = 0;
  #attempts = 1;
  #triedAgain = false;
  /** The first candidate that was passed over because it rests. */
  #passedOver: Candidate | null = null;

  constructor(ports: TurnPorts, call: Admitted) {
    this.#ports = ports;
    this.#call = call;
  }

  first(): Turn {
    this.#ports.retries.countCall(this.#call.key.accountId);
    const turn = this.#find() ?? this.#resting();
    assert(turn !== null, 'a call without a candidate was refused');
    return turn;
  }

  /** Null if the call ends with this failure. */
  after(failed: FailedAttempt, turn: Turn): Turn | null {
    // What could not be asked for this call was no attempt.
    if (this.#call.tries === 0) return this.#instead();
    if (!failed.anotherMayServe || !this.#mayGoOn(failed)) return null;
    const isFree = this.#isFree(failed);
    let next: Turn | null;
    if (this.isTriedAgain(failed)) {
      this.#triedAgain = true;
      next = { ...turn, reason: 'again', onNewConnection: failed.connectionReset };
    } else next = this.#withAnother(failed, turn) ?? this.#find();
    if (next === null) return null;
    this.#attempts += 1;
    if (!isFree) this.#ports.retries.take(this.#call.key.accountId);
    return next;
  }

  /**
   * Whether the same attempt follows, once in a call: a kept-alive connection may be closed by its peer just as a request is sent, and a
   * token may end. That says nothing about the provider.
   */
  isTriedAgain(failed: FailedAttempt): boolean {
    return (failed.connectionReset || failed.signAgain) && !this.#triedAgain && this.#mayGoOn(failed);
  }

  /**
   * After a quiet time a provider may have closed all connections that are kept: every call of a burst meets one, and the provider is well.
   * There are no more such attempts than answers before them, because only an answer leaves a connection that is kept.
   */
  #isFree({ connectionWasStale }: FailedAttempt): boolean {
    return connectionWasStale && !this.#triedAgain;
  }

  /** Whether only the retry budget keeps the call from a candidate that is ready. */
  isLoss({ anotherMayServe }: FailedAttempt, { candidate }: Turn): boolean {
    if (!anotherMayServe || this.#attempts >= ATTEMPTS_MAX || !this.#isSpent()) return false;
    const failing = serviceOf(this.#call, candidate);
    return this.#call.candidates.some((other, place) => {
      if (place < this.#next) return false;
      const service = serviceOf(this.#call, other);
      if (service === failing && other.model === candidate.model) return false;
      return this.#ports.breakers.readiness(service, other.model.id) === 'ready';
    });
  }

  #instead(): Turn | null {
    const next = this.#find() ?? this.#resting();
    if (next !== null) this.#attempts += 1;
    return next;
  }

  /** The turn was not used: another may be. */
  skip(): void {
    this.#attempts -= 1;
  }

  #isSpent(): boolean {
    return this.#ports.retries.isSpent(this.#call.key.accountId);
  }

  #mayGoOn(failed: FailedAttempt): boolean {
    return this.#attempts < ATTEMPTS_MAX && (this.#isFree(failed) || !this.#isSpent());
  }

  /** The same candidate, if only the credential was refused or limited and there is another. */
  #withAnother({ error }: FailedAttempt, { candidate, credential }: Turn): Turn | null {
    if (error.code !== 'upstream_credential_rejected' && error.code !== 'upstream_rate_limited') return null;
    const service = serviceOf(this.#call, candidate);
    const pinned = pinnedAt(this.#call, service);
    if (pinned?.isOnly === true || !this.#ports.breakers.hasAnother(service, candidate.model.id)) return null;
    // It may not rest, if the refusal says nothing about it; and out of turn, it would be the next one.
    const next = { service, credential: (credential + 1) % service.credentialCount, isOnly: false };
    return this.#begin(candidate, false, 'again', pinned === null ? null : next);
  }

  #find(): Turn | null {
    const { candidates } = this.#call;
    while (this.#next < candidates.length) {
      const candidate = candidates[this.#next] as Candidate;
      this.#next += 1;
      const turn = this.#begin(candidate, false, this.#call.tries === 0 ? 'first' : 'fallback');
      if (turn !== null) return turn;
      this.#passedOver ??= candidate;
    }
    return null;
  }

  /** The first one that was passed over because it rests, when nothing else is left for a call that was not tried yet. */
  #resting(): Turn | null {
    const candidate = this.#passedOver;
    this.#passedOver = null;
    return candidate === null ? null : this.#begin(candidate, true, 'first');
  }

  #begin(
    candidate: Candidate,
    isMust: boolean,
    reason: AttemptReason,
    wanted = pinnedAt(this.#call, serviceOf(this.#call, candidate)),
  ): Turn | null {
    const service = serviceOf(this.#call, candidate);
    const credential = this.#ports.breakers.begin(
      service,
      candidate.model.id,
      isMust,
      wanted,
      this.#call.key.accountId,
    );
    return credential === RESTS ? null : { candidate, credential, reason, onNewConnection: false };
  }
}

/** The credential that the call uses at this provider; null if any will do. */
export function pinnedAt({ pinned }: Pick<Call, 'pinned'>, service: Provider): PinnedCredential | null {
  return pinned?.service === service ? pinned : null;
}

/** The provider that a candidate is sent to. */
export function serviceOf(call: Pick<Call, 'providers'>, { own, target }: Candidate): Provider {
  const provider = own?.service ?? call.providers.get(target.provider);
  assert(provider !== undefined, 'a target names a configured provider');
  return provider;
}
