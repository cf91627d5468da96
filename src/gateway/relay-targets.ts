/** The lanes: a target that speaks the caller's dialect is relayed to; the translate lane will take the others. */
import type { Target } from '../catalog/model.ts';
import { GatewayError } from '../core/errors.ts';
import type { DialectName } from '../dialects/dialect.ts';

/** The targets that speak `dialect`, in order. Throws `GatewayError` 501 when there is none. */
export function relayTargets(targets: readonly Target[], dialect: DialectName, model: string): readonly Target[] {
  const speaking = targets.filter((target) => target.dialects.includes(dialect));
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
