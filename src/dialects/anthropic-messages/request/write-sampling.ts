/**
 * Sampling parameters for the Messages API. Newer models accept none, others only one of temperature and top_p, and a model that thinks
 * only the defaults.
 *
 * https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking
 */
import type { ChatRequest } from '../../../chat/request.ts';
import { lossOfParameter, takesParameter } from '../../kit/request/takes-parameter.ts';
import type { DialectTarget } from '../quirks.ts';
import type { WireBlock } from './cache-marks.ts';

const TEMPERATURE_MAX = 1;

export function writeSampling(
  request: ChatRequest,
  thinks: boolean,
  target: DialectTarget,
  warnings: Set<string>,
): WireBlock {
  const written: WireBlock = writeStop(request.stop, warnings);
  const asked = { temperature: request.temperature, top_p: request.topP, top_k: request.topK };
  for (const [name, value] of Object.entries(asked)) {
    if (value === null) continue;
    if (!takesParameter(target, name)) {
      warnings.add(lossOfParameter(target, name));
    } else if (thinks) {
      // A thinking model has a temperature of 1 anyway.
      if (name !== 'temperature' || value !== 1) warnings.add(`${name} was left out, because the model is thinking`);
    } else if (name === 'top_p' && 'temperature' in written) {
      warnings.add('top_p was left out: this model takes only one of temperature and top_p');
    } else {
      written[name] = name === 'temperature' ? clampTemperature(value, warnings) : value;
    }
  }
  return written;
}

function clampTemperature(temperature: number, warnings: Set<string>): number {
  if (temperature <= TEMPERATURE_MAX) return temperature;
  warnings.add('temperature was lowered to 1, the most this provider allows');
  return TEMPERATURE_MAX;
}

function writeStop(stop: readonly string[], warnings: Set<string>): WireBlock {
  const sequences = stop.filter((sequence) => sequence.trim() !== '');
  if (sequences.length < stop.length) warnings.add('stop sequences that are only white space were left out');
  return sequences.length === 0 ? {} : { stop_sequences: sequences };
}
