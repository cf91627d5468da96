/** Asks for the length of a prompt: https://docs.anthropic.com/en/api/messages-count-tokens */
import type { ChatRequest } from '../../../chat/request.ts';
import { asObject } from '../../../core/json-object.ts';
import type { CountRequest, PromptCounter } from '../../interface/prompt-counter.ts';
import { readCount } from '../answer/token-count.ts';
import type { DialectTarget, Quirks } from '../quirks.ts';
import { writeRequest } from './write-request.ts';

export const counter: PromptCounter<Quirks> = { writeRequest: writeCount, readCount };

/** The fields that are part of the prompt, and a cloud's version; any other is refused. */
const COUNTED = ['anthropic_version', 'messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config'];

function writeCount(request: ChatRequest, target: DialectTarget): CountRequest {
  const { headers, body } = writeRequest({ ...request, stream: false }, target);
  const whole = asObject(JSON.parse(body.toString())) ?? {};
  const counted = Object.fromEntries(Object.entries(whole).filter(([name]) => COUNTED.includes(name)));
  // A cloud that has the model in the path of a call has it here.
  return { headers, body: Buffer.from(JSON.stringify({ model: target.upstreamModel, ...counted })) };
}
