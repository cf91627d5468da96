/**
 * Usage as a caller of this format reads it: the prompt includes what was read from a cache, and thoughts are counted in addition to the
 * candidates. This format never reports a cost.
 *
 * https://ai.google.dev/api/generate-content#UsageMetadata
 */
import type { JsonObject } from '../../../core/json-object.ts';
import { completionTokens, promptTokens, type Usage } from '../../../core/usage.ts';

export function writeUsage(usage: Usage): JsonObject {
  const prompt = promptTokens(usage);
  const thoughts = Math.min(usage.reasoningTokens, usage.outputTokens);
  const answer = completionTokens(usage) - thoughts;
  return {
    promptTokenCount: prompt,
    ...(usage.cacheReadTokens > 0 && { cachedContentTokenCount: usage.cacheReadTokens }),
    candidatesTokenCount: answer,
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    totalTokenCount: prompt + answer + thoughts,
    promptTokensDetails: details(prompt, usage.inputAudioTokens),
    candidatesTokensDetails: details(answer, usage.outputAudioTokens),
  };
}

/** Images are counted as text by vendors that do not report them. */
function details(total: number, audio: number): readonly JsonObject[] {
  const text = { modality: 'TEXT', tokenCount: total - audio };
  return audio > 0 ? [text, { modality: 'AUDIO', tokenCount: audio }] : [text];
}
