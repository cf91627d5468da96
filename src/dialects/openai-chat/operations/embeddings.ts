/**
 * Vectors of texts or of tokens: https://platform.openai.com/docs/api-reference/embeddings/create. Others have the same request and answer,
 * with fields of their own, which pass: https://docs.voyageai.com/reference/embeddings-api, https://jina.ai/embeddings
 */
import type { OperationPart } from '../../interface/operation-part.ts';
import { patchPart } from './patch-part.ts';
import { partReader } from './peek-part.ts';
import { hasMedia, requireInput } from './read-input.ts';
import { readPromptUsage, wholeRelay } from './whole-relay.ts';

const read = partReader({
  read: ['input', 'dimensions', 'encoding_format', 'user', 'input_type'],
  prompt: ['input'],
});

export const embeddings: OperationPart = {
  exampleBody: (model) => ({ model, input: 'Hello, Turnpike' }),
  peek({ document }) {
    const peek = read(document);
    requireInput(document, 'a text, a list of texts, or a list of tokens');
    // Each input has a context window of its own, and there are fewer of them than values.
    return { ...peek, requests: document.values, promptUnbounded: hasMedia(document) };
  },
  patchRequest: patchPart,
  openRelay: wholeRelay({ isAnswer: ({ data }) => Array.isArray(data), readUsage: readPromptUsage }),
};
