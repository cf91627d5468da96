/**
 * A request that names what a provider keeps, an earlier answer or items of one, is only for that provider and the credential that made it,
 * and only if calls of the same project stored all of it. Otherwise it is refused, or left out if it is only a thought: an id of another project gets the same answer as an
 * unknown one.
 */

import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import type { StoredReference } from '../../dialects/interface/peek.ts';
import type { Candidate } from '../../routing/candidate.ts';
import type { Understood } from '../phases.ts';
import { ANY, areTogether, findHolder, type Holder, type HolderPorts, isAt } from './holder.ts';
import { type ModelPorts, makerNotAllowed, mayUseMaker } from './may-use-maker.ts';
import type { Keeper, StoredAnswers } from './stored-answers.ts';

export interface ReferencePorts extends ModelPorts, HolderPorts {
  readonly clock: Clock;
  readonly stored: Pick<StoredAnswers, 'find'>;
}

export function namesStored({ peek }: Understood): boolean {
  return peek.stored !== undefined && peek.stored.length > 0;
}

/**
 * Keeps the candidates at the provider that has it. A thought that this provider does not have is left out: another vendor made it, or the
 * response was never stored. Throws `GatewayError` 400 for anything else: `previous_response_not_found`, or `unsupported_value` if no target
 * of the model keeps answers, or not the one that has this; 403 if the key may not use the model that made it.
 */
export async function checkReferences(ports: ReferencePorts, call: Understood): Promise<void> {
  const references = call.peek.stored ?? [];
  const keeping = call.candidates.filter(
    ({ own, target: { provider, dialects } }) =>
      (own?.service ?? call.providers.get(provider))?.keepsAnswers === true &&
      (dialects as readonly string[]).includes(call.dialect.name),
  );
  const certain = references.find(({ isCertain }) => isCertain);
  if (keeping.length === 0) {
    if (certain !== undefined) throw notKept(certain);
    return;
  }
  const ids = references.map(({ id }) => id);
  const known = await ports.stored.find(call.key.projectId, ids, ports.clock.now());
  const found = withoutForbiddenThoughts(ports, call, references, known);
  const holders = found.map((keeper) => (keeper === null ? null : findHolder(ports, call, keeper, call.providers)));
  const named = holderOfAll(references, found, holders);
  // Without anything else, that of the first target that has one of the thoughts.
  const holder = named ?? firstOf(keeping, holders);
  const usable = holder === null ? [] : keeping.filter((candidate) => isAt(candidate, holder));
  if (usable.length > 0 && holder !== null) goTo(call, usable, holder);
  else if (named !== null)
    throw elsewhere(references.filter(({ isThought }) => isThought !== true)[0] as StoredReference);
  const leftOut = references.filter(({ isThought }, index) => {
    const place = holders[index] ?? null;
    const isThere = usable.length > 0 && holder !== null && place !== null && areTogether(place, holder);
    return isThought === true && !isThere;
  });
  if (leftOut.length > 0) call.peek = { ...call.peek, leftOut: new Set(leftOut.map(({ id }) => id)) };
}

/** Where everything is that is no thought; null if there is nothing else. Throws `GatewayError` 400. */
function holderOfAll(
  references: readonly StoredReference[],
  found: readonly (Keeper | null)[],
  holders: readonly (Holder | null)[],
): Holder | null {
  let common: Holder | null = null;
  for (const [index, reference] of references.entries()) {
    if (reference.isThought === true) continue;
    if ((found[index] ?? null) === null) throw unknown(reference);
    const holder = holders[index] ?? null;
    if (holder === null) throw credentialGone(reference);
    if (common !== null && !areTogether(common, holder)) throw elsewhere(reference);
    if (common === null || common.credential === ANY) common = holder;
  }
  return common;
}

function firstOf(keeping: readonly Candidate[], holders: readonly (Holder | null)[]): Holder | null {
  for (const candidate of keeping)
    for (const holder of holders) if (holder !== null && isAt(candidate, holder)) return holder;
  return null;
}

/** The call is only for these candidates, and for the credential. */
function goTo(call: Understood, usable: readonly Candidate[], { service, credential }: Holder): void {
  call.candidates = usable;
  if (service !== undefined && service.credentialCount > 1 && credential !== ANY)
    call.pinned = { service, credential, isOnly: true };
}

/**
 * The keepers of what the key may use: a thought of a model that it may not use counts as unknown, and anything else of one is refused. Each
 * model is judged once.
 */
function withoutForbiddenThoughts(
  ports: ModelPorts,
  call: Understood,
  references: readonly StoredReference[],
  known: readonly (Keeper | null)[],
): readonly (Keeper | null)[] {
  const judged = new Map<string, boolean>();
  return known.map((keeper, index) => {
    if (keeper === null) return null;
    const model = `${keeper.provider} ${keeper.upstreamModel}`;
    const allowed = judged.get(model) ?? mayUseMaker(ports, call, keeper);
    judged.set(model, allowed);
    if (allowed) return keeper;
    if (references[index]?.isThought === true) return null;
    throw makerNotAllowed();
  });
}

const SEND_INPUT = 'Send the whole input instead.';

/** With the code that clients of this format know: some then send the whole input by themselves. */
function unknown({ param, id }: StoredReference): GatewayError {
  return new GatewayError('previous_response_not_found', {
    message: `Nothing with the id ${shown(id)} is known here (${param}): it does not exist, is older than 30 days, or belongs to another project. ${SEND_INPUT}`,
    param,
  });
}

function notKept({ param }: StoredReference): GatewayError {
  return new GatewayError('unsupported_value', {
    message: `No provider of this model keeps earlier answers, so "${param}" cannot be used. ${SEND_INPUT}`,
    param,
  });
}

function elsewhere({ param }: Pick<StoredReference, 'param'>): GatewayError {
  return new GatewayError('unsupported_value', {
    message: `What "${param}" names is kept by a provider, or for a credential, that does not serve this request. ${SEND_INPUT}`,
    param,
  });
}

/** With the code after which some clients send the whole input by themselves. */
function credentialGone({ param, id }: StoredReference): GatewayError {
  return new GatewayError('previous_response_not_found', {
    message: `${shown(id)} (${param}) is kept for a credential that was removed or replaced since, and no other one reaches it. ${SEND_INPUT}`,
    param,
  });
}

const SHOWN_MAX = 80;

function shown(id: string): string {
  return JSON.stringify(id.length > SHOWN_MAX ? `${id.slice(0, SHOWN_MAX)}…` : id);
}
