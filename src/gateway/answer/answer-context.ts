/** What a dialect's relay may know of its call. */
import type { Target } from '../../catalog/model.ts';
import { formatUsd } from '../../core/money.ts';
import { atRate } from '../../core/rates/rate.ts';
import { unitLineOf } from '../../core/units/units.ts';
import type { FrameGuard, PartContext } from '../../dialects/interface/relay.ts';
import { rateOf } from '../admission/hold-request.ts';
import { costAt, countedParts } from '../end/consumption.ts';
import type { Admitted } from '../phases.ts';
import { shownModel } from './shown-model.ts';

export function answerContext(call: Admitted, target: Target, guard?: FrameGuard): PartContext {
  return {
    callerModel: shownModel(call),
    provider: target.provider,
    ...(target.tokenizer !== undefined && { tokenizer: target.tokenizer }),
    ...(guard !== undefined && { guard }),
    fileBytes: () => call.upload?.fileBytes ?? 0,
    unitLine: (name) => (target.prices === null ? 0 : unitLineOf(target.prices.units, name)),
    cost: () => {
      const { meter } = call;
      const usage = meter?.usage() ?? null;
      // What the provider does not report is counted here, and its cost is known only at the end.
      if (meter !== null && countedParts(meter) !== 'all') return null;
      const cost = usage === null ? null : costAt(call, usage);
      if (cost === null) return null;
      const charge = atRate(cost, rateOf(call.candidate, call.rates));
      // The caller never pays more than was held.
      return formatUsd(charge > call.hold.amount ? call.hold.amount : charge);
    },
  };
}
