/** Asks for the length of a prompt: https://docs.anthropic.com/en/api/messages-count-tokens */
import type { ChatRequest } from '../../../chat/request.ts';
import type { CountRequest, PromptCounter } from '../../interface/prompt-counter.ts';
import { promptFields } from '../../kit/request/prompt-fields.ts';
import { readCount } from '../answer/token-count.ts';
import type { DialectTarget, Quirks } from '../quirks.ts';
import { writeRequest } from './write-request.ts';

export const counter: PromptCounter<Quirks> = { writeRequest: writeCount, readCount };

/** The fields that are part of the prompt, and a cloud's version; any other is refused. */
const COUNTED = ['anthropic_version', 'messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config'];

function writeCount(request: ChatRequest, target: DialectTarget): CountRequest {
  const { headers, body } = writeRequest({ ...request, stream: false }, target);
  // A cloud that has the model in the path of a call has it here.
  return { headers, body: { model: target.upstreamModel, ...promptFields(body, COUNTED) } };
}
