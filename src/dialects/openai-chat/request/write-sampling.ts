/** Writes sampling parameters and stop sequences. What a model is known not to accept is left out with a warning. */
import type { ChatRequest } from '../../../chat/request.ts';
import { isNeutral, lossOfParameter, takesParameter } from '../../kit/request/takes-parameter.ts';
import type { DialectTarget } from '../quirks.ts';
import type { Written } from './cache-marks.ts';

export function writeSampling(request: ChatRequest, target: DialectTarget, warnings: Set<string>): Written {
  const stop = request.stop.slice(0, STOPS_MAX);
  const fields: readonly (readonly [string, unknown])[] = [
    ['stop', stop.length === 0 ? null : stop],
    ['temperature', request.temperature],
    ['top_p', request.topP],
    ['top_k', request.topK],
    ['frequency_penalty', request.frequencyPenalty],
    ['presence_penalty', request.presencePenalty],
    ['seed', request.seed],
    ['verbosity', request.verbosity],
  ];
  const written: Record<string, unknown> = {};
  for (const [name, value] of fields) {
    if (value === null) continue;
    if (takesParameter(target, name)) written[name] = value;
    else if (!isNeutral(name, value)) warnings.add(lossOfParameter(target, name));
  }
  if ('stop' in written && request.stop.length > STOPS_MAX) {
    warnings.add(`stop holds more than ${STOPS_MAX} sequences; only the first ${STOPS_MAX} were passed on`);
  }
  return written;
}

/** https://platform.openai.com/docs/api-reference/chat/create#chat-create-stop */
const STOPS_MAX = 4;
