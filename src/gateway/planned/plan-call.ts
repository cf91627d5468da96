/**
 * The steps of a call from its request to its candidates and what each may cost, for the answer about how a request would be served. No
 * provider is asked, and nothing is held.
 */
import { type RoutePorts, route } from '../admission/route.ts';
import { isPaid, type UnderstandPorts, understand } from '../admission/understand.ts';
import { checkGoesOn } from '../check-goes-on.ts';
import type { Arrived, Understood } from '../phases.ts';
import { type BoundPorts, boundCandidates } from './bound-candidates.ts';
import type { PlanNotes } from './plan-notes.ts';
import { type WrittenPlan, writePlan } from './write-plan.ts';

export type PlanCallPorts = UnderstandPorts & RoutePorts & BoundPorts;

/**
 * `between` is called once it is known what the request asks for. Throws `GatewayError` as the call would. Null for an operation that is free:
 * it has no candidates.
 */
export async function planCall(
  ports: PlanCallPorts,
  call: Arrived,
  notes: PlanNotes,
  between: ((call: Understood) => Promise<void>) | null = null,
): Promise<WrittenPlan | null> {
  const asked: Arrived = call;
  understand(ports, asked, notes.note);
  if (between !== null) await between(asked);
  if (!isPaid(asked)) return null;
  route(ports, asked, notes.note);
  const bounded = await boundCandidates(ports, asked, notes.note);
  checkGoesOn(asked);
  return writePlan(asked, bounded, notes.all, ports.routing.health);
}
