/** Keeps the candidates that a call can be sent to, and puts them in the order in which they are tried. */
import type { Model, Target } from '../../catalog/model.ts';
import { assert } from '../../core/assert.ts';
import { GatewayError } from '../../core/errors.ts';
import { NO_CHARGE } from '../../core/rates/rate.ts';
import { type Candidate, targetsOf } from '../../routing/candidate.ts';
import type { PinnedCredential } from '../../routing/pinned-credential.ts';
import { type PlanFacts, planCandidates } from '../../routing/plan.ts';
import type { KeptAt, RoutingPorts } from '../../routing/ports.ts';
import { keepWithout, type Note, type Reason } from '../../routing/reason.ts';
import { onlySigner } from '../../routing/signer-first.ts';
import type { Paid, Routed } from '../phases.ts';
import { checkPurpose } from './check-purpose.ts';
import { conversationOf } from './conversation-of.ts';
import { rateOf } from './hold-request.ts';
import { expressibleTargets, ownFormat, routeInDialect } from './own-format.ts';
import { readThoughts, type Thoughts } from './read-thoughts.ts';
import { beginWith, isRelayed } from './translate-request.ts';
import { isCharged, paidTargets, runningTargets, servingTargets } from './usable-targets.ts';

export interface RoutePorts {
  /** Whether a model must have a price to be served. */
  readonly paidInAdvance: boolean;
  readonly routing: RoutingPorts;
}

/**
 * Of several models, each is judged for itself. A search without a limit, which no balance can pay for, is left out of a relayed call if
 * the caller does not insist on it. Throws `GatewayError` 400, 404 like `checkPurpose`, `runningTargets`, `paidTargets` and
 * `servingTargets`, if none is left. `note` gets those that are left out or moved.
 */
export function route(ports: RoutePorts, call: Paid, note: Note | null = null): asserts call is Routed {
  if (ports.paidInAdvance && call.peek.serverToolUses === 'unbounded') leaveSearchOut(call);
  const found = usableOf(ports, call, note);
  const thoughts = readThoughts(call, found);
  const usable = thoughts?.isForced === true ? onlySigner(found, thoughts.takes, note) : found;
  call.keepsThoughts = thoughts?.isForced === true;
  const kept = isChoice(usable, call.providers) ? keptOf(ports, call) : null;
  if (kept !== null) call.pinned ??= pinnedBy(kept, call.providers);
  // Most models have one target, and then nothing is left to choose.
  beginWith(call as Routed, usable.length < 2 ? usable : planned(ports, call, usable, { thoughts, kept, note }));
}

interface Known {
  readonly thoughts: Thoughts | null;
  readonly kept: KeptAt | null;
  readonly note: Note | null;
}

function planned(
  ports: RoutePorts,
  call: Paid,
  candidates: readonly Candidate[],
  { thoughts, kept, note }: Known,
): readonly Candidate[] {
  const facts: PlanFacts = {
    providers: call.providers,
    health: ports.routing.health,
    rates: call.rates,
    isTranslated: (candidate) => !isRelayed(call, candidate) || isInOwnFormat(call, candidate),
    kept,
    takesThoughts: thoughts?.takes ?? null,
  };
  return planCandidates(candidates, call.wishes, facts, note);
}

function usableOf(ports: RoutePorts, call: Paid, note: Note | null): readonly Candidate[] {
  const { candidates } = call;
  return areOfOneModel(candidates)
    ? usableOfModel(ports, call, candidates, note)
    : usableOfModels(ports, call, candidates, note);
}

function areOfOneModel(candidates: readonly Candidate[]): boolean {
  const model = candidates[0]?.model;
  for (const candidate of candidates) if (candidate.model !== model) return false;
  return true;
}

function usableOfModels(
  ports: RoutePorts,
  call: Paid,
  candidates: readonly Candidate[],
  note: Note | null,
): readonly Candidate[] {
  let refusal: GatewayError | null = null;
  const usable = [...new Set(candidates.map(({ model }) => model))].flatMap((model) => {
    try {
      return usableOfModel(
        ports,
        call,
        candidates.filter((candidate) => candidate.model === model),
        note,
      );
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      refusal ??= error;
      return [];
    }
  });
  if (usable.length === 0 && refusal !== null) throw refusal;
  return usable;
}

/** Of candidates of one model. */
function usableOfModel(
  { paidInAdvance }: RoutePorts,
  call: Paid,
  candidates: readonly Candidate[],
  note: Note | null,
): readonly Candidate[] {
  const model = candidates[0]?.model;
  assert(model !== undefined, 'a model has candidates');
  let left = candidates;
  for (const step of paidInAdvance ? PAID_STEPS : STEPS) left = keepBy(step, left, call, model, note);
  // What is translated is only asked in dialects, and found out when it is written.
  return call.operation.isTranslated ? left : keepBy(EXPRESS, left, call, model, note);
}

interface Step {
  /** Why a candidate is left out. */
  readonly reason: Reason;
  /** Returns the targets of the model that the call can be sent to, as far as the step judges it, or throws `GatewayError`. */
  readonly keep: (targets: readonly Target[], call: Paid, model: Model) => readonly Target[];
  /** Set if it only judges candidates that the account is charged for. */
  readonly ofCharged?: true;
}

const FIT: Step = {
  reason: 'cannot_express',
  keep(targets, { operation, peek }, model) {
    checkPurpose(model, operation, peek);
    return targets;
  },
};
const RUN: Step = {
  reason: 'tool_not_run',
  keep: (targets, { dialect, peek }) => runningTargets(targets, dialect.name, peek),
};
const PAY: Step = {
  reason: 'unpriced',
  keep: (targets, { dialect, peek }) => paidTargets(targets, dialect.name, peek),
  ofCharged: true,
};
const UNDERSTAND: Step = {
  reason: 'other_format',
  keep(targets, call) {
    const { operation } = call;
    const isServed = operation.isTranslated ? answersCalls : (target: Target) => hasOperation(call, target);
    return servingTargets(targets, isServed, operation);
  },
};
const EXPRESS: Step = { reason: 'cannot_express', keep: expressibleTargets };
const STEPS: readonly Step[] = [FIT, RUN, UNDERSTAND];
const PAID_STEPS: readonly Step[] = [FIT, RUN, PAY, UNDERSTAND];

/**
 * The candidates with a target that the step keeps, and those that it does not judge; the same list if that is all of them. Throws what the
 * step throws, unless it does not judge some. `note` gets the others.
 */
function keepBy(
  { reason, keep, ofCharged }: Step,
  candidates: readonly Candidate[],
  call: Paid,
  model: Model,
  note: Note | null,
): readonly Candidate[] {
  const judged = ofCharged === true ? chargedOf(call, candidates) : candidates;
  if (judged.length === 0) return candidates;
  const targets = targetsOf(judged);
  let kept: readonly Target[];
  try {
    kept = keep(targets, call, model);
  } catch (error) {
    if (note !== null) for (const candidate of judged) note(candidate, reason);
    if (judged.length === candidates.length) throw error;
    return without(candidates, judged);
  }
  return kept.length === targets.length ? candidates : keepTargets(candidates, judged, kept, reason, note);
}

function without(candidates: readonly Candidate[], left: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter((candidate) => !left.includes(candidate));
}

function keepTargets(
  candidates: readonly Candidate[],
  judged: readonly Candidate[],
  kept: readonly Target[],
  reason: Reason,
  note: Note | null,
): readonly Candidate[] {
  return keepWithout(
    candidates,
    (candidate) => (kept.includes(candidate.target) || !judged.includes(candidate) ? null : reason),
    note,
  );
}

/** The same list if the account is charged for all of them. */
function chargedOf(call: Paid, candidates: readonly Candidate[]): readonly Candidate[] {
  return hasOwn(candidates) ? chargedAmong(call, candidates) : candidates;
}

function chargedAmong(call: Paid, candidates: readonly Candidate[]): readonly Candidate[] {
  const charged = candidates.filter((candidate) => !isFreeOfCharge(call, candidate));
  return charged.length === candidates.length ? candidates : charged;
}

function hasOwn(candidates: readonly Candidate[]): boolean {
  for (const { own } of candidates) if (own !== null) return true;
  return false;
}

/** Whatever it costs: the account pays for it at its provider, and there is no fee. */
function isFreeOfCharge({ rates }: Paid, candidate: Candidate): boolean {
  return candidate.own !== null && rateOf(candidate, rates) === NO_CHARGE;
}

function leaveSearchOut(call: Paid): void {
  const { candidates, dialect, inbound, peek } = call;
  if (isCharged(targetsOf(chargedOf(call, candidates)), dialect.name))
    call.peek = dialect.withoutSearch?.(inbound, peek) ?? peek;
}

/** Some providers have vectors, say, and no conversations. */
function answersCalls({ dialects }: Target): boolean {
  return dialects.length > 0;
}

/** Whether the target's provider has the operation in the caller's format. It need not have conversations, too. */
function hasOperation(call: Paid, target: Target): boolean {
  return routeInDialect(call, target, call.providers.get(target.provider)) !== null;
}

function isInOwnFormat(call: Paid, { target }: Candidate): boolean {
  return ownFormat(call, target, call.providers.get(target.provider)) !== null;
}

/** Whether it matters where a conversation was served last: there are several candidates, or one has several credentials. */
function isChoice(candidates: readonly Candidate[], providers: Paid['providers']): boolean {
  if (candidates.length > 1) return true;
  const [only] = candidates;
  const provider = only === undefined || only.own !== null ? undefined : providers.get(only.target.provider);
  return provider !== undefined && provider.credentialCount > 1;
}

/** The operator's credential that the conversation was served with; null if there is no choice, or it was replaced. */
function pinnedBy({ provider, mark }: KeptAt, providers: Paid['providers']): PinnedCredential | null {
  const service = mark === null ? undefined : providers.get(provider);
  if (service === undefined || mark === null) return null;
  const credential = service.credentialMarks.indexOf(mark);
  return credential === -1 ? null : { service, credential, isOnly: false };
}

/** Where the caller's conversation was served last. Its name is read here, because it only matters if there is a choice. */
function keptOf({ routing }: RoutePorts, call: Paid): KeptAt | null {
  const conversation = conversationOf(call.dialect, call.inbound);
  call.conversation = conversation;
  return conversation === null ? null : routing.sticky.find(call.key.projectId, conversation);
}
