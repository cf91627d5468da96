/** What a dialect's patcher may ask of the call it serves. */
import type { Target } from '../catalog/model.ts';
import { formatUsd } from '../core/money.ts';
import type { AnswerContext } from '../dialects/dialect.ts';
import type { Call } from './call.ts';
import { costAt } from './settle.ts';

export function answerContext(call: Call, target: Target): AnswerContext {
  return {
    callerModel: call.peek?.model ?? '',
    upstreamModel: target.upstreamModel,
    cost: () => {
      const usage = call.meter?.usage() ?? null;
      const cost = usage === null ? null : costAt(call, usage);
      return cost === null ? null : formatUsd(cost);
    },
  };
}
