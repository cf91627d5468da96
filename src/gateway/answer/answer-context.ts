/** What a dialect's patcher may ask of the call it serves. */
import type { Target } from '../../catalog/model.ts';
import { formatUsd } from '../../core/money.ts';
import type { AnswerContext } from '../../dialects/interface/frame-patcher.ts';
import type { Call } from '../call.ts';
import { costAt, countedParts } from '../end/settle.ts';

export function answerContext(call: Call, target: Target): AnswerContext {
  return {
    callerModel: call.peek?.model ?? '',
    upstreamModel: target.upstreamModel,
    provider: target.provider,
    cost: () => {
      const { meter } = call;
      const usage = meter?.usage() ?? null;
      // What the provider does not count is counted here: what that costs is known at the end only.
      if (meter !== null && countedParts(meter) !== 'all') return null;
      const cost = usage === null ? null : costAt(call, usage);
      if (cost === null || call.hold === null) return null;
      // What the caller pays: never more than was held.
      return formatUsd(cost > call.hold.amount ? call.hold.amount : cost);
    },
  };
}
