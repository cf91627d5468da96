/**
 * Whether texts and images are harmful: https://platform.openai.com/docs/api-reference/moderations/create. At OpenAI that is free and reports no
 * usage; others charge for the tokens: https://docs.mistral.ai/api/endpoint/classifiers
 */
import type { OperationPart } from '../../interface/operation-part.ts';
import { patchPart } from './patch-part.ts';
import { partReader } from './peek-part.ts';
import { hasMedia, requireInput } from './read-input.ts';
import { idOf, readPromptUsage, wholeRelay } from './whole-relay.ts';

const read = partReader({ read: ['input'], prompt: ['input'] });

export const moderations: OperationPart = {
  exampleBody: (model) => ({ model, input: 'Hello, Turnpike' }),
  peek({ document }) {
    const peek = read(document);
    requireInput(document, 'a text, a list of texts, or a list of parts');
    // Each input has a context window of its own, and there are fewer of them than values.
    return { ...peek, requests: document.values, promptUnbounded: hasMedia(document) };
  },
  patchRequest: patchPart,
  openRelay: wholeRelay({ isAnswer: ({ results }) => Array.isArray(results), readUsage: readPromptUsage, idOf }),
};
