/**
 * Of a model's targets, those a call can be sent to: with a price where calls are paid in advance,
 * and in the caller's dialect, which is the relay lane; the translate lane will take the others.
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
    message: `${model} has no price here, and calls are paid in advance. Its operator sets prices, or \`price: free\`, in turnpike.yaml.`,
    param: 'model',
  });
}

function isPriced({ prices }: Target): boolean {
  return prices !== null;
}

/** The targets that speak `dialect`, in order. Throws `GatewayError` 501 when there is none. */
export function relayTargets(targets: readonly Target[], dialect: DialectName, model: string): readonly Target[] {
  const speaks = (target: Target) => target.dialects.includes(dialect);
  if (targets.every(speaks)) return targets;
  const speaking = targets.filter(speaks);
  if (speaking.length > 0) return speaking;
  const spoken = [...new Set(targets.flatMap((target) => target.dialects))];
  throw new GatewayError('translation_not_available', {
    message: `${model} is served here as ${spoken.join(', ')} only, and this route speaks ${dialect}; translation between formats is not available yet. ${useInstead(spoken)}`,
    param: 'model',
  });
}

const ROUTES: Record<DialectName, string> = {
  'openai-chat': '/api/v1/chat/completions',
  'anthropic-messages': '/v1/messages',
};

function useInstead(spoken: readonly DialectName[]): string {
  return `Send it to ${spoken.map((dialect) => ROUTES[dialect]).join(' or ')}.`;
}
