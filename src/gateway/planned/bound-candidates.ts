/** What each candidate of a call may cost, and whether the balance and the budgets cover it. Nothing is held. */
import type { Bank } from '../../billing/bank.ts';
import { amountAt, type Bound } from '../../billing/bound.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Money } from '../../core/money.ts';
import type { Candidate } from '../../routing/candidate.ts';
import type { Note } from '../../routing/reason.ts';
import { ATTEMPTS_MAX } from '../admission/admit.ts';
import { boundIn } from '../admission/hold-request.ts';
import { isCovered } from '../admission/is-covered.ts';
import { isRelayed, type TranslatePorts, translateFor, WRITTEN_MAX } from '../admission/translate-request.ts';
import type { Routed } from '../phases.ts';

export interface BoundPorts extends TranslatePorts {
  readonly bank: Pick<Bank, 'mode' | 'checkAffordable'>;
}

export interface BoundedCandidate {
  readonly candidate: Candidate;
  readonly isTranslated: boolean;
  /** The most that it may be charged; null if the candidate has no price, or would not be tried. */
  readonly most: Money | null;
  /** What of the request cannot be expressed in its format. */
  readonly warnings: readonly string[];
}

/** Those that can serve, in order; `note` gets the others. What is beyond those that a call may try has no bound. */
export async function boundCandidates(
  ports: BoundPorts,
  call: Routed,
  note: Note,
): Promise<readonly BoundedCandidate[]> {
  const bounded: BoundedCandidate[] = [];
  let written = 0;
  for (const candidate of call.candidates) {
    const isTranslated = !isRelayed(call, candidate);
    if (bounded.length >= ATTEMPTS_MAX || written >= WRITTEN_MAX) {
      bounded.push({ candidate, isTranslated, most: null, warnings: [] });
      continue;
    }
    if (isTranslated) written += 1;
    try {
      if (isTranslated) await translateFor(ports, call, candidate, null);
      const bound = boundOf(ports, call, candidate, isTranslated);
      if (!isCovered(ports.bank, call, bound)) note(candidate, 'unaffordable');
      else
        bounded.push({
          candidate,
          isTranslated,
          most: mostOf(bound),
          warnings: warningsOf(call, candidate, isTranslated),
        });
    } catch (error) {
      if (!(error instanceof GatewayError) || error.status !== 400) throw error;
      note(candidate, 'cannot_express');
    }
  }
  return bounded;
}

function boundOf({ bank }: BoundPorts, call: Routed, candidate: Candidate, isTranslated: boolean): Bound | null {
  const { operation, peek, translation } = call;
  const request =
    isTranslated && translation !== null ? translation.boundRequest(peek, candidate) : operation.bound(peek);
  return boundIn(bank, request, [candidate], call);
}

function mostOf(bound: Bound | null): Money | null {
  return bound === null ? null : amountAt(bound, bound.outputCap);
}

function warningsOf({ translation }: Routed, candidate: Candidate, isTranslated: boolean): readonly string[] {
  return isTranslated && translation !== null ? translation.writtenFor(candidate).warnings : [];
}
