/** Writes sampling parameters and stop sequences: https://ai.google.dev/api/generate-content#generationconfig */
import type { ChatRequest } from '../../../chat/request.ts';
import { isNeutral, lossOfParameter, takesParameter } from '../../kit/request/takes-parameter.ts';
import type { DialectTarget } from '../quirks.ts';
import type { Written } from './written.ts';

export function writeSampling(request: ChatRequest, target: DialectTarget, warnings: Set<string>): Written {
  const stop = sentStops(request, target);
  const fields: readonly (readonly [name: string, wire: string, value: unknown])[] = [
    ['stop', 'stopSequences', stop.length === 0 ? null : stop],
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
    else if (!isNeutral(name, value)) warnings.add(lossOfParameter(target, name));
  }
  return written;
}

/** Those that the gateway must search for: more than the API takes, or all, if the model takes none. */
export function otherStops(request: ChatRequest, target: DialectTarget): readonly string[] {
  return request.stop.filter((sequence) => sequence !== '').slice(sentStops(request, target).length);
}

function sentStops({ stop }: ChatRequest, target: DialectTarget): readonly string[] {
  if (!takesParameter(target, 'stop')) return [];
  return stop.filter((sequence) => sequence !== '').slice(0, STOPS_MAX);
}

const STOPS_MAX = 5;
