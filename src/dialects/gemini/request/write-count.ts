/** Asks for the length of a prompt: https://ai.google.dev/api/tokens#method:-models.counttokens */
import type { ChatRequest } from '../../../chat/request.ts';
import { parseObject } from '../../../core/json-object.ts';
import { readCount } from '../../../core/usage.ts';
import type { CountRequest, PromptCounter } from '../../interface/prompt-counter.ts';
import type { DialectTarget, Quirks } from '../quirks.ts';
import { writeRequest } from './write-request.ts';

export const counter: PromptCounter<Quirks> = { writeRequest: writeCount, readCount: readTotal };

/** Google AI takes a whole request inside its own, with the model's name; Vertex takes its fields. */
function writeCount(request: ChatRequest, target: DialectTarget): CountRequest {
  const { headers, body } = writeRequest({ ...request, stream: false }, target);
  if (!target.quirks.countsWhole) return { headers, body };
  return { headers, body: { generateContentRequest: { model: `models/${target.upstreamModel}`, ...body } } };
}

/** A count of 0 is left out. */
function readTotal(body: Buffer): number | null {
  const answer = parseObject(body.toString());
  if (answer === null || answer['error'] !== undefined) return null;
  return readCount(answer['totalTokens']);
}
