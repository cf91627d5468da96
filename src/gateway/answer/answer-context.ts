/** What a dialect's relay may ask of the call it serves. */
import type { Target } from '../../catalog/model.ts';
import { formatUsd } from '../../core/money.ts';
import type { FrameGuard, RelayContext } from '../../dialects/interface/relay.ts';
import { costAt, countedParts } from '../end/consumption.ts';
import type { Admitted } from '../phases.ts';

export function answerContext(call: Admitted, target: Target, guard?: FrameGuard): RelayContext {
  return {
    callerModel: call.peek.model,
    provider: target.provider,
    ...(target.tokenizer !== undefined && { tokenizer: target.tokenizer }),
    ...(guard !== undefined && { guard }),
    cost: () => {
      const { meter } = call;
      const usage = meter?.usage() ?? null;
      // What the provider does not count is counted here: what that costs is known at the end only.
      if (meter !== null && countedParts(meter) !== 'all') return null;
      const cost = usage === null ? null : costAt(call, usage);
      if (cost === null) return null;
      // What the caller pays: never more than was held.
      return formatUsd(cost > call.hold.amount ? call.hold.amount : cost);
    },
  };
}
