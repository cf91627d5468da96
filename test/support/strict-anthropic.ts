/**
 * A provider that speaks the Messages API as strictly as Anthropic does: it refuses, in Anthropic's
 * shape, what Anthropic refuses, and otherwise obeys `strict-commands.ts`. Traits are part of a model's name:
 * `-nosampling`, `-noprefill`, `-adaptive` (no budgets), `-budget` (only budgets); and it knows those
 * of the newest real models. https://docs.anthropic.com/en/api/messages
 */
import type { ServerResponse } from 'node:http';
import { carryOut, commandIn, refuseOnCommand, textOf } from './strict-answer.ts';
import { messageFrames, wholeMessage } from './strict-anthropic-answer.ts';
import { checkMessagesRequest } from './strict-anthropic-rules.ts';
import { COUNTED_TOKENS, planOf } from './strict-commands.ts';
import {
  isObject,
  type JsonObject,
  listOf,
  type Received,
  Refusal,
  type StrictServer,
  sendJson,
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
  refuseOnCommand(asked.command, OVERFLOW, (status) => ({ type: TYPES[status] ?? 'api_error' }));
  const plan = planOf(asked);
  const model = String(body['model']);
  const hidesThinking = isObject(body['thinking']) && body['thinking']['display'] === 'omitted';
  const wording = {
    frames: () => messageFrames(plan, model, hidesThinking),
    whole: () => wholeMessage(plan, model, hidesThinking),
    failure: FAILURE,
    failureFrame: () => `event: error\ndata: ${JSON.stringify(errorBody(FAILURE))}\n\n`,
  };
  return carryOut(plan, wording, body['stream'] === true, response);
}

const FAILURE = new Refusal(529, 'Overloaded', { type: 'overloaded_error' });
const OVERFLOW = new Refusal(400, 'prompt is too long: 210000 tokens > 200000 maximum');
const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function askedOf(body: JsonObject): Parameters<typeof planOf>[0] {
  const { command, since } = commandIn(listOf(body['messages']));
  const blocks = since.flatMap((turn) => listOf(turn['content']));
  const thinking = isObject(body['thinking']) ? body['thinking']['type'] : 'disabled';
  return {
    command,
    results: blocks
      .filter((block) => block['type'] === 'tool_result')
      .map((block) => (block['is_error'] === true ? `error(${textOf(block)})` : textOf(block))),
    rounds: since.filter((turn) => listOf(turn['content']).some((block) => block['type'] === 'tool_use')).length,
    thinks: thinking === 'enabled' || thinking === 'adaptive',
    cap: Number(body['max_tokens']),
    stop: Array.isArray(body['stop_sequences']) ? body['stop_sequences'].map(String) : [],
  };
}
