/** Asks for the length of a prompt: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CountTokens.html */
import type { ChatRequest } from '../../../chat/request.ts';
import { parseObject } from '../../../core/json-object.ts';
import { readCount } from '../../../core/usage.ts';
import type { CountRequest, PromptCounter } from '../../interface/prompt-counter.ts';
import { promptFields } from '../../kit/request/prompt-fields.ts';
import type { DialectTarget, Quirks } from '../quirks.ts';
import { writeRequest } from './write-request.ts';

export const counter: PromptCounter<Quirks> = { writeRequest: writeCount, readCount: readTokens };

/** The fields of a call that are counted; any other is refused. */
const COUNTED = ['messages', 'system', 'toolConfig', 'additionalModelRequestFields'];

function writeCount(request: ChatRequest, target: DialectTarget): CountRequest {
  const { headers, body } = writeRequest({ ...request, stream: false }, target);
  return { headers, body: { input: { converse: promptFields(body, COUNTED) } } };
}

function readTokens(body: Buffer): number | null {
  return readCount(parseObject(body.toString())?.['inputTokens']);
}
