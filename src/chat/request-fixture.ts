/** Test material: a neutral request that asks for nothing in particular. */
import type { ChatRequest } from './request.ts';

/** Without turns; tests add what they are about. */
export const PLAIN_REQUEST: ChatRequest = {
  system: [],
  turns: [],
  tools: [],
  toolChoice: null,
  parallelTools: null,
  outputCap: null,
  stop: [],
  temperature: null,
  topP: null,
  topK: null,
  frequencyPenalty: null,
  presencePenalty: null,
  seed: null,
  reasoning: null,
  format: null,
  verbosity: null,
  user: null,
  stream: false,
  warnings: [],
};
