/** Writes sampling parameters; what the format does not have, or a model does not accept, is left out with a warning. */
import type { ChatRequest } from '../../../chat/request.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import { lossOfParameter, takesParameter } from '../../kit/request/takes-parameter.ts';
import type { DialectTarget } from '../quirks.ts';

export function writeSampling(request: ChatRequest, target: DialectTarget, warnings: Set<string>): JsonObject {
  const { temperature, topP } = request;
  const absent = {
    top_k: request.topK,
    // No penalty is what happens anyway.
    frequency_penalty: request.frequencyPenalty || null,
    presence_penalty: request.presencePenalty || null,
    seed: request.seed,
  };
  for (const [name, value] of Object.entries(absent)) {
    if (value !== null) warnings.add(`${name} was left out, because this provider's API has no such field`);
  }
  const written: Record<string, unknown> = {};
  for (const [name, value] of [['temperature', temperature] as const, ['top_p', topP] as const]) {
    if (value === null) continue;
    if (takesParameter(target, name)) written[name] = value;
    else warnings.add(lossOfParameter(target, name));
  }
  return written;
}
