/** Writes sampling parameters and stop sequences: https://ai.google.dev/api/generate-content#generationconfig */
import type { ChatRequest } from '../../../chat/request.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';
import { lossOfParameter, takesParameter } from '../../kit/request/takes-parameter.ts';
import type { DialectTarget } from '../quirks.ts';
import type { Written } from './written.ts';

/** Throws `GatewayError` 400 for more stop sequences than the API takes: the answer would run past the others. */
export function writeSampling(request: ChatRequest, target: DialectTarget, warnings: Set<string>): Written {
  if (request.stop.length > STOPS_MAX) {
    throw unsupported('stop', `This provider takes at most ${STOPS_MAX} stop sequences.`);
  }
  const fields: readonly (readonly [name: string, wire: string, value: unknown])[] = [
    ['stop', 'stopSequences', request.stop.length === 0 ? null : request.stop],
    ['temperature', 'temperature', request.temperature],
    ['top_p', 'topP', request.topP],
    ['top_k', 'topK', request.topK],
    ['frequency_penalty', 'frequencyPenalty', request.frequencyPenalty],
    ['presence_penalty', 'presencePenalty', request.presencePenalty],
    ['seed', 'seed', request.seed],
  ];
  const written: Record<string, unknown> = {};
  for (const [name, wire, value] of fields) {
    if (value === null) continue;
    if (takesParameter(target, name)) written[wire] = value;
    else warnings.add(lossOfParameter(target, name));
  }
  return written;
}

const STOPS_MAX = 5;
