/** Where an answer has the model's words, and what its tools found: https://ai.google.dev/api/generate-content#Candidate */
import type { AnswerWords } from '../../interface/answer-words.ts';

export const answerWords: AnswerWords = {
  parts: new Set(['candidates']),
  names: new Set([
    ...['text', 'thoughtSignature', 'name', 'args', 'stringValue', 'jsonPath', 'code', 'output', 'data'],
    ...['groundingMetadata', 'citationMetadata', 'logprobsResult', 'urlContextMetadata', 'finishMessage'],
  ]),
};
