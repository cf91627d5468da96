/** Asks for the length of a prompt: https://platform.openai.com/docs/api-reference/responses/input-tokens */
import type { ChatRequest } from '../../../chat/request.ts';
import type { CountRequest, PromptCounter } from '../../interface/prompt-counter.ts';
import { promptFields } from '../../kit/request/prompt-fields.ts';
import { readCount } from '../answer/token-count.ts';
import type { DialectTarget, Quirks } from '../quirks.ts';
import { writeRequest } from './write-request.ts';

export const counter: PromptCounter<Quirks> = { writeRequest: writeCount, readCount };

/** The fields that it shares with a call. */
const COUNTED = [
  ...['model', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls'],
  ...['text', 'reasoning', 'truncation'],
];

function writeCount(request: ChatRequest, target: DialectTarget): CountRequest {
  const { headers, body } = writeRequest({ ...request, stream: false }, target);
  return { headers, body: promptFields(body, COUNTED) };
}
