/** Reads what the request asks for: model, stream, output cap, governed fields; and finds where that model is served. */
import { mayUse } from '../../accounts/limits.ts';
import type { Catalog, Target } from '../../catalog/model.ts';
import type { Provider } from '../../providers/provider.ts';
import { chooseTargets } from '../../routing/choose-targets.ts';
import type { Arrived, Free, Paid, Routed } from '../phases.ts';
import { checkPurpose } from './check-purpose.ts';
import { isCharged, paidTargets, runningTargets, understandingTargets } from './usable-targets.ts';

export interface UnderstandPorts {
  readonly catalog: Catalog;
  readonly providers: ReadonlyMap<string, Provider>;
}

/** Throws `GatewayError` 400 from reading the request, 403 and 404 from `chooseTargets`. */
export function understand(ports: UnderstandPorts, call: Arrived): asserts call is Paid | Free {
  const { key, project, account, operation, dialect, inbound } = call;
  const peek = operation.peek(dialect, inbound);
  // Set before the model is found, so that the refusal is recorded with the model asked for.
  call.peek = peek;
  const { model, targets } = chooseTargets(ports.catalog, peek.model, mayUse(key, project, account));
  call.model = model;
  call.targets = targets;
  call.providers = ports.providers;
}

export function isPaid(call: Paid | Free): call is Paid {
  return call.operation.isPaid;
}

export interface RoutePorts {
  /** Whether a model must have a price to be served. */
  readonly paidInAdvance: boolean;
}

/**
 * Keeps the targets that the call can be sent to. A search without a limit, which no balance can pay for, is left out of a relayed call if
 * the caller does not insist on it. Throws `GatewayError` 400, 404 like `checkPurpose`, `runningTargets`, `paidTargets` and
 * `understandingTargets`.
 */
export function route({ paidInAdvance }: RoutePorts, call: Paid): asserts call is Routed {
  checkPurpose(call.model, call.operation, call.peek);
  if (paidInAdvance && call.peek.serverToolUses === 'unbounded') leaveSearchOut(call);
  const running = runningTargets(call.targets, call.dialect.name, call.peek);
  const targets = paidInAdvance ? paidTargets(running, call.dialect.name, call.peek) : running;
  const served = call.operation.isTranslated ? targets : targets.filter((target) => isServed(call, target));
  const usable = understandingTargets(served, call.dialect.name, call.operation);
  call.targets = usable;
  call.target = usable[0];
}

function leaveSearchOut(call: Paid): void {
  const { dialect, inbound, peek, targets } = call;
  if (isCharged(targets, dialect.name)) call.peek = dialect.withoutSearch?.(inbound, peek) ?? peek;
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
