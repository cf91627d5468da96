/**
 * A provider that speaks the Messages API as strictly as Anthropic does: it refuses, in Anthropic's
 * shape, what Anthropic refuses, and else obeys `strict-commands.ts`. Traits hang on a model's name:
 * `-nosampling`, `-noprefill`, `-adaptive` (no budgets), `-budget` (nothing but budgets); and it knows those
 * of the newest real models. https://docs.anthropic.com/en/api/messages
 */
import type { ServerResponse } from 'node:http';
import { messageFrames, wholeMessage } from './strict-anthropic-answer.ts';
import { checkMessagesRequest, textOf, turnsOf } from './strict-anthropic-rules.ts';
import { COUNTED_TOKENS, numberOf, planOf } from './strict-commands.ts';
import {
  isObject,
  type JsonObject,
  listOf,
  type Received,
  Refusal,
  type StrictServer,
  sendJson,
  sendStream,
  startStrictServer,
} from './strict-server.ts';

export function startStrictAnthropic(credential: string): Promise<StrictServer> {
  return startStrictServer({
    answer: (received, response) => answer(received, response, credential),
    refusalBody: errorBody,
  });
}

function errorBody({ message, type }: Refusal): JsonObject {
  return { type: 'error', error: { type, message }, request_id: 'req_strict' };
}

async function answer({ path, headers, body }: Received, response: ServerResponse, credential: string): Promise<void> {
  if (headers['x-api-key'] !== credential && headers.authorization !== `Bearer ${credential}`) {
    throw new Refusal(401, 'invalid x-api-key', { type: 'authentication_error' });
  }
  const version = headers['anthropic-version'];
  if (version === undefined) throw new Refusal(400, 'anthropic-version: header is required');
  const counts = path === '/v1/messages/count_tokens';
  if (path !== '/v1/messages' && !counts) throw new Refusal(404, 'Not found', { type: 'not_found_error' });
  checkMessagesRequest(body, { counts, newest: version === '2026-10-21' });
  if (counts) return sendJson(response, { input_tokens: COUNTED_TOKENS });
  const asked = askedOf(body);
  refuseOnCommand(asked.command);
  const plan = planOf(asked);
  const hidesThinking = isObject(body['thinking']) && body['thinking']['display'] === 'omitted';
  if (body['stream'] === true) {
    const frames = messageFrames(plan, String(body['model']), hidesThinking);
    if (plan.end !== 'error') return sendStream(response, frames, plan.end);
    const error = new Refusal(529, 'Overloaded', { type: 'overloaded_error' });
    return sendStream(response, [...frames, `event: error\ndata: ${JSON.stringify(errorBody(error))}\n\n`], 'end');
  }
  if (plan.end === 'error') throw new Refusal(529, 'Overloaded', { type: 'overloaded_error' });
  if (plan.end === 'break') return void response.destroy();
  if (plan.end === 'end') sendJson(response, wholeMessage(plan, String(body['model']), hidesThinking));
}

function askedOf(body: JsonObject): Parameters<typeof planOf>[0] {
  const turns = turnsOf(body);
  const at = turns.findLastIndex((turn) => turn['role'] === 'user' && textOf(turn) !== '');
  const since = turns.slice(at + 1);
  const blocks = since.flatMap((turn) => listOf(turn['content']));
  const thinking = isObject(body['thinking']) ? body['thinking']['type'] : 'disabled';
  return {
    command: at === -1 ? '' : (textOf(turns[at]).split('\n').at(-1) ?? ''),
    results: blocks
      .filter((block) => block['type'] === 'tool_result')
      .map((block) => (block['is_error'] === true ? `error(${textOf(block)})` : textOf(block))),
    rounds: since.filter((turn) => listOf(turn['content']).some((block) => block['type'] === 'tool_use')).length,
    thinks: thinking === 'enabled' || thinking === 'adaptive',
    cap: Number(body['max_tokens']),
    stop: Array.isArray(body['stop_sequences']) ? body['stop_sequences'].map(String) : [],
  };
}

function refuseOnCommand(command: string): void {
  if (command === 'overflow') throw new Refusal(400, 'prompt is too long: 210000 tokens > 200000 maximum');
  const status = numberOf(command, 'status');
  if (status === null) return;
  const type = TYPES[status] ?? 'api_error';
  throw new Refusal(status, 'as it was asked', { type, headers: status === 429 ? { 'retry-after': '17' } : {} });
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};
