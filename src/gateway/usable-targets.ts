/**
 * Of a model's targets, those a call can be sent to: with a price where calls are paid in advance,
 * and in the caller's own dialect where anybody speaks it: bytes that pass are more faithful than bytes that are translated.
 */
import type { Target } from '../catalog/model.ts';
import { GatewayError } from '../core/errors.ts';
import type { DialectName } from '../dialects/dialect.ts';

/** Throws `GatewayError` 404 `model_not_priced`. */
export function pricedTargets(targets: readonly Target[], model: string): readonly Target[] {
  if (targets.every(isPriced)) return targets;
  const priced = targets.filter(isPriced);
  if (priced.length > 0) return priced;
  throw new GatewayError('model_not_priced', {
    message: `${model} has no price here, and calls are paid in advance. Its operator sets prices, or \`free\`, in turnpike.yaml or in the dashboard.`,
    param: 'model',
  });
}

function isPriced({ prices }: Target): boolean {
  return prices !== null;
}

/** The targets that speak `dialect`, in order; all of them where none does: then every one takes a translation. */
export function understandingTargets(targets: readonly Target[], dialect: DialectName): readonly Target[] {
  const speaks = (target: Target) => target.dialects.includes(dialect);
  if (targets.every(speaks)) return targets;
  const speaking = targets.filter(speaks);
  return speaking.length > 0 ? speaking : targets;
}
