/** What the request asks for: model, stream, output cap, governed fields; and where that model is served. */
import { mayUse } from '../../accounts/limits.ts';
import type { Catalog } from '../../catalog/model.ts';
import { assert } from '../../core/assert.ts';
import type { Peek } from '../../dialects/interface/peek.ts';
import type { Provider } from '../../providers/provider.ts';
import { chooseTargets } from '../../routing/choose-targets.ts';
import type { Arrived, Routed, Understood } from '../phases.ts';
import { paidTargets, understandingTargets } from './usable-targets.ts';

export interface UnderstandPorts {
  readonly catalog: Catalog;
  readonly providers: ReadonlyMap<string, Provider>;
}

/** `peek` is what its operation reads of the request. Throws `GatewayError` 403, 404 as `chooseTargets`. */
export function understand(ports: UnderstandPorts, call: Arrived, peek: Peek): asserts call is Understood {
  const { key, project, account } = call;
  // Also of a call whose model is not here: its refusal is noted with what it asked for.
  call.peek = peek;
  const { model, targets } = chooseTargets(ports.catalog, peek.model, mayUse(key, project, account));
  call.model = model;
  call.targets = targets;
  call.providers = ports.providers;
}

export interface RoutePorts {
  /** Whether a model must have a price to be served. */
  readonly paidInAdvance: boolean;
}

/** Leaves the targets that the call can be sent to. Throws `GatewayError` 400, 404 as `paidTargets`. */
export function route({ paidInAdvance }: RoutePorts, call: Understood): asserts call is Routed {
  const targets = paidInAdvance ? paidTargets(call.targets, call.peek) : call.targets;
  const usable = understandingTargets(targets, call.dialect.name);
  const [first] = usable;
  assert(first !== undefined, 'a model has a target');
  call.targets = usable;
  call.target = first;
}
