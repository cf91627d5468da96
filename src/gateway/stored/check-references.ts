/**
 * A request that names what a provider keeps, an earlier answer or items of one, is only for that provider, and only if calls of the same
 * project stored all of it. Otherwise it is refused: an id of another project gets the same answer as an unknown one.
 */

import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import type { StoredReference } from '../../dialects/interface/peek.ts';
import type { Call } from '../call.ts';
import type { Understood } from '../phases.ts';
import type { Keeper, StoredAnswers } from './stored-answers.ts';

export interface ReferencePorts {
  readonly clock: Clock;
  readonly stored: Pick<StoredAnswers, 'find'>;
}

export function namesStored({ peek }: Understood): boolean {
  return peek.stored !== undefined && peek.stored.length > 0;
}

/**
 * Keeps the targets at the provider that has it. Throws `GatewayError` 400: `previous_response_not_found`, or `unsupported_value` if no target
 * of the model keeps answers, or not the one that has this.
 */
export async function checkReferences({ clock, stored }: ReferencePorts, call: Understood): Promise<void> {
  const references = call.peek.stored ?? [];
  const keeping = call.targets.filter(
    ({ provider, dialects }) =>
      call.providers.get(provider)?.keepsAnswers === true &&
      (dialects as readonly string[]).includes(call.dialect.name),
  );
  const mustBeKnown = keeping.length > 0 || references.some(({ isCertain }) => isCertain);
  if (!mustBeKnown) return;
  const [first] = references;
  if (keeping.length === 0) throw notKept(references.find(({ isCertain }) => isCertain) ?? (first as StoredReference));
  const found = await find(stored, call, references, clock.now());
  const providers = new Set(found.map(({ provider }) => provider));
  const usable = keeping.filter(({ provider }) => providers.size === 1 && providers.has(provider));
  if (usable.length === 0) throw elsewhere(first as StoredReference);
  call.targets = usable;
}

async function find(
  stored: ReferencePorts['stored'],
  { key }: Call & Understood,
  references: readonly StoredReference[],
  nowMs: number,
): Promise<readonly Keeper[]> {
  const ids = references.map(({ id }) => id);
  const found = await stored.find(key.projectId, ids, nowMs);
  return found.map((keeper, index) => {
    if (keeper === null) throw unknown(references[index] as StoredReference);
    return keeper;
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

function elsewhere({ param }: StoredReference): GatewayError {
  return new GatewayError('unsupported_value', {
    message: `What "${param}" names is kept by a provider that does not serve this model. ${SEND_INPUT}`,
    param,
  });
}

const SHOWN_MAX = 80;

function shown(id: string): string {
  return JSON.stringify(id.length > SHOWN_MAX ? `${id.slice(0, SHOWN_MAX)}…` : id);
}
