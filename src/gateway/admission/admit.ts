/** Admission by the bank: the most that a call can cost is held before a provider is asked. */

import type { Bank, Hold } from '../../billing/bank.ts';
import { amountAt, type Bound, dearestBound } from '../../billing/bound.ts';
import { type Refusal, refusalError } from '../../billing/refusal.ts';
import type { Clock } from '../../core/clock.ts';
import type { Candidate } from '../../routing/candidate.ts';
import { keepWithout, type Note } from '../../routing/reason.ts';
import type { Call } from '../call.ts';
import type { Admitted, Routed } from '../phases.ts';
import { boundIn, holdRequest } from './hold-request.ts';
import { isCovered } from './is-covered.ts';
import { savingOf } from './saving-of.ts';
import {
  beginWith,
  isRelayed,
  isTranslated,
  type TranslatePorts,
  translateFor,
  WRITTEN_MAX,
} from './translate-request.ts';

export interface AdmitPorts extends TranslatePorts {
  readonly clock: Clock;
  readonly bank: Pick<Bank, 'mode' | 'hold' | 'raise' | 'checkAffordable'>;
}

/** The most candidates that a call is tried at. */
export const ATTEMPTS_MAX = 3;

type Answer = Hold | Refusal;

/**
 * Asks the bank to hold the most that the call can cost, whichever of the candidates serves it that may be tried. Those that the balance or a
 * budget does not cover are left out, and noted; the first of the rest becomes the call's. The call is refused only if none is
 * left. A translated candidate counts once the request is written for it: the first one's is, the hold is raised for a later one.
 *
 * Returns a promise if the bank has to ask another node, or the request has to be written for another candidate; rights are then checked again
 * once it resolves. Throws `GatewayError` 400 for a call without a bound.
 */
export function askBank(ports: AdmitPorts, call: Routed, noteOf: NoteOf): Answer | Promise<Answer> {
  const answer = holdFor(ports, call);
  return answer instanceof Promise ? orLessLater(ports, call, answer, noteOf) : orLess(ports, call, answer, noteOf);
}

/** Makes what notes the candidates of a call that are left out; most leave out none. */
export type NoteOf = (call: Call) => Note;

function holdFor({ bank }: AdmitPorts, call: Routed): Answer | Promise<Answer> {
  return bank.hold(holdRequest(call, boundOfAll(bank, call, tried(call))));
}

/** Asks again without what cannot be afforded, if the balance or a budget was too small. */
function orLess(ports: AdmitPorts, call: Routed, answer: Answer, noteOf: NoteOf): Answer | Promise<Answer> {
  if (answer.refused !== 'shortfall' || call.candidates.length === 1) return answer;
  return askForFewer(ports, call, answer, noteOf(call));
}

async function orLessLater(ports: AdmitPorts, call: Routed, asked: Promise<Answer>, noteOf: NoteOf): Promise<Answer> {
  return orLess(ports, call, await asked, noteOf);
}

/** Leaves out the dearest, and what is not covered either, until the rest can be held for. */
async function askForFewer(ports: AdmitPorts, call: Routed, refusal: Answer, note: Note): Promise<Answer> {
  let answer = refusal;
  let written = 1;
  let isNews = true;
  while (answer.refused === 'shortfall') {
    const candidates = tried(call);
    const dearest = dearestOf(ports.bank, call, candidates);
    const others = call.candidates.filter((candidate) => candidate !== dearest);
    if (dearest === null || others.length === 0) return answer;
    note(dearest, 'unaffordable');
    // What may be covered is only asked again once more is known.
    const kept = isNews ? coveredOf(ports, call, others, written < WRITTEN_MAX, note) : others;
    isNews = false;
    if (kept.length === 0) return answer;
    beginWith(call, kept);
    if (!isRelayed(call, call.candidate) && call.translation?.isFor(call.candidate, null) !== true) {
      written += 1;
      isNews = true;
      await translateFor(ports, call, call.candidate, null);
    }
    answer = await holdFor(ports, call);
  }
  return answer;
}

/** `mayWrite`: whether the request may still be written for another one. */
function coveredOf(
  ports: AdmitPorts,
  call: Routed,
  candidates: readonly Candidate[],
  mayWrite: boolean,
  note: Note,
): readonly Candidate[] {
  const isCandidate = (each: Candidate) => (mayWrite || isRelayed(call, each)) && mayBeCovered(ports, call, each);
  return keepWithout(candidates, (candidate) => (isCandidate(candidate) ? null : 'unaffordable'), note);
}

/** As far as that is known without writing the request for it, which takes as long as the request is large. */
function mayBeCovered({ bank }: AdmitPorts, call: Routed, candidate: Candidate): boolean {
  const { operation, peek } = call;
  if (isRelayed(call, candidate)) return isCovered(bank, call, boundIn(bank, operation.bound(peek), [candidate], call));
  const request = isTranslated(call) ? call.translation.boundRequestLike(peek, candidate) : null;
  return request === null || isCovered(bank, call, boundIn(bank, request, [candidate], call));
}

/** Null if what each of them may cost is not known yet. */
function dearestOf(bank: Pick<Bank, 'mode'>, call: Routed, candidates: readonly Candidate[]): Candidate | null {
  let dearest: Candidate | null = null;
  let most = -1n;
  for (const candidate of candidates) {
    const bound = boundOfOne(bank, call, candidate) ?? null;
    const amount = bound === null ? -1n : amountAt(bound, bound.outputCap);
    if (amount <= most) continue;
    dearest = candidate;
    most = amount;
  }
  return dearest;
}

function tried({ candidates }: Routed): readonly Candidate[] {
  return candidates.length > ATTEMPTS_MAX ? candidates.slice(0, ATTEMPTS_MAX) : candidates;
}

/** The most that any of them can cost, as far as the request is written for it. */
function boundOfAll(bank: Pick<Bank, 'mode'>, call: Routed, candidates: readonly Candidate[]): Bound | null {
  const { operation, peek } = call;
  for (const each of candidates) if (!isRelayed(call, each)) return boundOfMixed(bank, call, candidates);
  return boundIn(bank, operation.bound(peek), candidates, call);
}

/** Some of them are translated. */
function boundOfMixed(bank: Pick<Bank, 'mode'>, call: Routed, candidates: readonly Candidate[]): Bound | null {
  const { candidate, operation, peek } = call;
  const relayed = candidates.filter((each) => isRelayed(call, each));
  const ofRelayed = relayed.length === 0 ? null : boundIn(bank, operation.bound(peek), relayed, call);
  return isRelayed(call, candidate) ? ofRelayed : dearestBound(ofRelayed, boundOfOne(bank, call, candidate) ?? null);
}

/** Undefined if it is not known, because the request is not written for the candidate. */
function boundOfOne(bank: Pick<Bank, 'mode'>, call: Routed, candidate: Candidate): Bound | null | undefined {
  const { operation, peek } = call;
  if (isRelayed(call, candidate)) return boundIn(bank, operation.bound(peek), [candidate], call);
  if (!isTranslated(call) || !call.translation.isFor(candidate, null)) return undefined;
  return boundIn(bank, call.translation.boundRequest(peek, candidate), [candidate], call);
}

/**
 * Once money is held, the call is admitted: from here on it must be finished, however it ends. Throws `GatewayError` 402, 503
 * if the bank refused.
 */
export function admit({ clock }: AdmitPorts, call: Routed, answer: Answer): asserts call is Admitted {
  if (answer.refused !== null) throw refusalError(answer, clock.now(), savingOf(call), call.key.accountId);
  call.hold = answer;
}

/** Whether the call must be finished. */
export function isAdmitted(call: Call): call is Admitted {
  return call.hold !== null;
}

/** Whether the hold also covers a later candidate, for which the request has just been written; raises the hold if possible. */
export function coverLater(
  { bank }: Pick<AdmitPorts, 'bank'>,
  call: Admitted,
  candidate: Candidate,
): boolean | Promise<boolean> {
  const { hold, operation, peek, translation } = call;
  // A cap that the bank has set is sent to every candidate.
  const asked = hold.outputCap === null ? peek : { ...peek, outputCap: hold.outputCap };
  const request =
    translation !== null && !isRelayed(call, candidate)
      ? translation.boundRequest(peek, candidate, hold.outputCap)
      : operation.bound(asked);
  const bound = boundIn(bank, request, [candidate], call);
  return bound === null || bank.raise(hold, holdRequest(call, bound));
}
