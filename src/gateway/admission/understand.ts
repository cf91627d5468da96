/** Reads what the request asks for: model, stream, output cap, governed fields; and finds where that model is served. */
import { mayUse } from '../../accounts/limits.ts';
import type { RateBook } from '../../billing/rates.ts';
import type { Catalog, Target } from '../../catalog/model.ts';
import { assert } from '../../core/assert.ts';
import type { Provider } from '../../providers/provider.ts';
import { targetsOf } from '../../routing/candidate.ts';
import { chooseCandidates } from '../../routing/choose-candidates.ts';
import type { RoutingPorts } from '../../routing/ports.ts';
import type { Arrived, Free, Paid, Routed } from '../phases.ts';
import { checkPurpose } from './check-purpose.ts';
import { isCharged, paidTargets, runningTargets, understandingTargets } from './usable-targets.ts';

export interface UnderstandPorts {
  readonly catalog: Catalog;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly routing: RoutingPorts;
  readonly rates: Pick<RateBook, 'of'>;
}

/** Throws `GatewayError` 400 from reading the request, 403 and 404 from `chooseCandidates`. */
export function understand(ports: UnderstandPorts, call: Arrived): asserts call is Paid | Free {
  const { key, project, account, operation, dialect, inbound } = call;
  const peek = operation.peek(dialect, inbound);
  // Set before the model is found, so that the refusal is recorded with the model asked for.
  call.peek = peek;
  const { model, candidates } = chooseCandidates(ports.catalog, peek.model, mayUse(key, project, account));
  call.model = model;
  call.candidates = ports.routing.own.arrange(candidates, key, ports.providers);
  call.providers = ports.providers;
  call.rates = ports.rates.of(account);
}

export function isPaid(call: Paid | Free): call is Paid {
  return call.operation.isPaid;
}

export interface RoutePorts {
  /** Whether a model must have a price to be served. */
  readonly paidInAdvance: boolean;
}

/**
 * Keeps the candidates that the call can be sent to. A search without a limit, which no balance can pay for, is left out of a relayed call if
 * the caller does not insist on it. Throws `GatewayError` 400, 404 like `checkPurpose`, `runningTargets`, `paidTargets` and
 * `understandingTargets`.
 */
export function route({ paidInAdvance }: RoutePorts, call: Paid): asserts call is Routed {
  checkPurpose(call.model, call.operation, call.peek);
  if (paidInAdvance && call.peek.serverToolUses === 'unbounded') leaveSearchOut(call);
  const all = targetsOf(call.candidates);
  const running = runningTargets(all, call.dialect.name, call.peek);
  const targets = paidInAdvance ? paidTargets(running, call.dialect.name, call.peek) : running;
  const served = call.operation.isTranslated ? targets : targets.filter((target) => isServed(call, target));
  const usable = understandingTargets(served, call.dialect.name, call.operation);
  if (usable.length !== all.length) call.candidates = call.candidates.filter(({ target }) => usable.includes(target));
  const [first] = call.candidates;
  assert(first !== undefined, 'a call without a usable target was refused');
  call.candidate = first;
  call.target = first.target;
}

function leaveSearchOut(call: Paid): void {
  const { candidates, dialect, inbound, peek } = call;
  if (isCharged(targetsOf(candidates), dialect.name)) call.peek = dialect.withoutSearch?.(inbound, peek) ?? peek;
}

/** Whether the target's provider has the operation in the caller's format. */
function isServed({ dialect, operation, providers }: Paid, target: Target): boolean {
  const spoken = target.dialects.find((name) => String(name) === dialect.name);
  if (spoken === undefined) return false;
  const route = providers.get(target.provider)?.route(spoken, {
    operation: operation.name,
    model: target.upstreamModel,
    stream: false,
  });
  return route !== undefined && route !== null;
}
