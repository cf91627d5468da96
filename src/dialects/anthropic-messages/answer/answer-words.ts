/** Where an answer has the model's words, and what its tools found: https://docs.anthropic.com/en/api/messages */
import type { AnswerWords } from '../../interface/answer-words.ts';

export const answerWords: AnswerWords = {
  parts: new Set(['content', 'message', 'content_block', 'delta']),
  names: new Set([
    ...['content', 'text', 'thinking', 'signature', 'data', 'name', 'input', 'partial_json'],
    ...['citations', 'citation', 'stop_sequence'],
  ]),
};
