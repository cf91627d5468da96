/** Where an answer has the model's words, and what its tools found: https://platform.openai.com/docs/api-reference/responses-streaming */
import type { AnswerWords } from '../../interface/answer-words.ts';

export const answerWords: AnswerWords = {
  parts: new Set([
    ...[
      'output',
      'output_text',
      'item',
      'part',
      'response',
      'delta',
      'text',
      'refusal',
      'arguments',
      'input',
      'annotation',
    ],
  ]),
  names: new Set([
    ...[
      'text',
      'refusal',
      'arguments',
      'input',
      'name',
      'delta',
      'content',
      'summary',
      'encrypted_content',
      'annotations',
    ],
    ...['output', 'output_text', 'action', 'queries', 'results', 'code', 'outputs', 'result', 'operation'],
    // The response repeats the request.
    ...['instructions', 'tools', 'metadata', 'prompt', 'user'],
  ]),
};
