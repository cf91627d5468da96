/**
 * `inferenceConfig`, and the sampling fields that only some families have.
 *
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InferenceConfiguration.html
 */
import type { ChatRequest } from '../../../chat/request.ts';
import { lossOfParameter, takesParameter } from '../../kit/request/takes-parameter.ts';
import type { DialectTarget } from '../quirks.ts';
import type { WireBlock } from './cache-points.ts';

export interface WrittenSampling {
  /** Of `inferenceConfig`. */
  readonly config: WireBlock;
  /** Of `additionalModelRequestFields`. */
  readonly fields: WireBlock;
}

export function writeSampling(
  request: ChatRequest,
  thinks: boolean,
  target: DialectTarget,
  warnings: Set<string>,
): WrittenSampling {
  const { family, sampling } = target.quirks;
  const config: Record<string, unknown> = {};
  const fields: Record<string, unknown> = {};
  const asked = { temperature: request.temperature, top_p: request.topP, top_k: request.topK };
  for (const [name, value] of Object.entries(asked)) {
    if (value === null) continue;
    if (!takesParameter(target, name)) warnings.add(lossOfParameter(target, name));
    else if (sampling === 'none') warnings.add(`${name} was left out, because this model does not accept it`);
    else if (thinks) {
      // A thinking model has a temperature of 1 anyway.
      if (name !== 'temperature' || value !== 1) warnings.add(`${name} was left out, because the model is thinking`);
    } else if (name === 'temperature') config['temperature'] = clampTemperature(value, warnings);
    else if (name === 'top_p' && sampling === 'one' && 'temperature' in config)
      warnings.add('top_p was left out: this model takes only one of temperature and top_p');
    else if (name === 'top_p') config['topP'] = value;
    else if (family === 'claude') fields['top_k'] = value;
    else if (family === 'nova') fields['inferenceConfig'] = { topK: value };
    else warnings.add('top_k was left out, because it is not known how this model takes it');
  }
  const stopSequences = request.stop.filter((sequence) => sequence.trim() !== '');
  if (stopSequences.length < request.stop.length)
    warnings.add('stop sequences that are only white space were left out');
  if (stopSequences.length > 0) config['stopSequences'] = stopSequences;
  return { config, fields };
}

const TEMPERATURE_MAX = 1;

function clampTemperature(temperature: number, warnings: Set<string>): number {
  if (temperature <= TEMPERATURE_MAX) return temperature;
  warnings.add('temperature was lowered to 1, the most this provider allows');
  return TEMPERATURE_MAX;
}
