/** Where an answer has the model's words: https://platform.openai.com/docs/api-reference/chat/object */
import type { AnswerWords } from '../../interface/answer-words.ts';

export const answerWords: AnswerWords = {
  parts: new Set(['choices']),
  names: new Set([
    ...['content', 'text', 'refusal', 'reasoning', 'reasoning_content', 'reasoning_details', 'thinking'],
    ...['name', 'arguments', 'input', 'audio', 'images', 'annotations', 'logprobs'],
  ]),
};
