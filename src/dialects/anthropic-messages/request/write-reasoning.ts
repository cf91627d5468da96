/** Requests thinking from a model of the Messages API. */
import type { Reasoning } from '../../../chat/request.ts';
import { type Obstacle, type WrittenThinking, writeClaudeThinking } from '../../kit/request/claude-thinking.ts';
import type { DialectTarget } from '../quirks.ts';

/** `outputCap` in tokens, including thinking. */
export function writeReasoning(
  reasoning: Reasoning | null,
  outputCap: number,
  { parameters, efforts, quirks }: DialectTarget,
  obstacle: Obstacle,
  warnings: Set<string>,
): WrittenThinking {
  return writeClaudeThinking(
    reasoning,
    outputCap,
    { parameters, efforts, thinking: quirks.thinking },
    obstacle,
    warnings,
  );
}
