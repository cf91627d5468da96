/**
 * Requests thinking: each family has fields of its own for it, in addition to those of the format.
 *
 * https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-extended-thinking.html
 * https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-openai.html
 */
import type { Effort, Reasoning } from '../../../chat/request.ts';
import { type Obstacle, writeClaudeThinking } from '../../kit/request/claude-thinking.ts';
import { nearestEffort, wantedEffort } from '../../kit/request/fit-effort.ts';
import type { DialectTarget } from '../quirks.ts';
import type { WireBlock } from './cache-points.ts';

export interface WrittenReasoning {
  /** Of `additionalModelRequestFields`. */
  readonly fields: WireBlock;
  /** Of `outputConfig`. */
  readonly effort: Effort | null;
  /** Whether a Claude model will think: sampling parameters must then be defaults, and no tool can be forced. */
  readonly thinks: boolean;
}

/** `outputCap` in tokens, including thinking. */
export function writeReasoning(
  reasoning: Reasoning | null,
  outputCap: number,
  target: DialectTarget,
  obstacle: Obstacle,
  warnings: Set<string>,
): WrittenReasoning {
  const { parameters, efforts, quirks } = target;
  if (quirks.thinking !== null) {
    const known = { parameters, efforts, thinking: quirks.thinking };
    const { thinking, effort, thinks } = writeClaudeThinking(reasoning, outputCap, known, obstacle, warnings);
    return { fields: thinking === null ? {} : { thinking }, effort, thinks };
  }
  if (reasoning === null) return NOTHING;
  const wanted = wantedEffort(reasoning);
  if (wanted === null && !reasoning.adaptive) return NOTHING;
  const fields = fieldsOf(wanted, target, warnings);
  if (fields === null) warnings.add('reasoning was left out, because it is not known how this model takes it');
  return { ...NOTHING, fields: fields ?? {} };
}

const NOTHING: WrittenReasoning = { fields: {}, effort: null, thinks: false };

/** Null if it is not known how the model takes `wanted`. A model of which nothing is known does not think unless it is asked to. */
function fieldsOf(
  wanted: Effort | null,
  { upstreamModel, quirks }: DialectTarget,
  warnings: Set<string>,
): WireBlock | null {
  const off = wanted === 'none';
  // This model always thinks.
  if (quirks.family === 'gpt-oss') {
    const effort = nearestEffort(wanted ?? 'medium', ['low', 'medium', 'high'], warnings);
    return { reasoning_effort: effort };
  }
  if (quirks.family !== 'nova' || !/nova-2/.test(upstreamModel)) return off ? {} : null;
  if (off) return { reasoningConfig: { type: 'disabled' } };
  // With its highest effort, Nova takes no output cap.
  const maxReasoningEffort = nearestEffort(wanted ?? 'medium', ['low', 'medium'], warnings);
  return { reasoningConfig: { type: 'enabled', maxReasoningEffort } };
}
