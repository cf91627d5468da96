/** Where an answer has the model's words, and what its tools found: https://platform.openai.com/docs/api-reference/responses-streaming */
import type { AnswerWords } from '../../interface/answer-words.ts';

export const answerWords: AnswerWords = {
  parts: new Set(['output', 'response', 'item', 'part', 'annotation', 'logprobs']),
  texts: new Set(['delta', 'text', 'refusal', 'arguments', 'input', 'code', 'output_text']),
  names: new Set([
    ...['text', 'refusal', 'arguments', 'input', 'name', 'content', 'summary', 'encrypted_content', 'annotations'],
    ...['output', 'output_text', 'action', 'queries', 'results', 'code', 'outputs', 'result', 'operation', 'logprobs'],
    // A response repeats its request.
    ...['instructions', 'tools', 'metadata', 'prompt', 'user'],
  ]),
};
