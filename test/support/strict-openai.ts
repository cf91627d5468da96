/**
 * A provider that speaks Chat Completions as strictly as OpenAI does: it refuses, in OpenAI's shape,
 * what OpenAI refuses, and otherwise obeys `strict-commands.ts`. Traits are part of a model's name:
 * `-nosampling`, and `gpt-new`, which wants `max_completion_tokens` and knows the role `developer`.
 * At OpenRouter's path it knows what OpenRouter adds: `reasoning`, `reasoning_details`, `cache_control`.
 * https://platform.openai.com/docs/api-reference/chat
 */
import type { ServerResponse } from 'node:http';
import { carryOut, commandIn, refuseOnCommand, textOf } from './strict-answer.ts';
import { planOf } from './strict-commands.ts';
import { completionFrames, wholeCompletion } from './strict-openai-answer.ts';
import { checkChatRequest } from './strict-openai-rules.ts';
import {
  isObject,
  type JsonObject,
  listOf,
  type Received,
  Refusal,
  type StrictServer,
  startStrictServer,
} from './strict-server.ts';

export function startStrictOpenai(credential: string): Promise<StrictServer> {
  return startStrictServer({
    answer: (received, response) => answer(received, response, credential),
    refusalBody: errorBody,
  });
}

function errorBody({ message, type, param, code }: Refusal): JsonObject {
  return { error: { message, type, param, code } };
}

async function answer({ path, headers, body }: Received, response: ServerResponse, credential: string): Promise<void> {
  if (headers.authorization !== `Bearer ${credential}`) {
    throw new Refusal(401, 'Incorrect API key provided.', { code: 'invalid_api_key' });
  }
  const routes = path === '/api/v1/chat/completions';
  if (path !== '/v1/chat/completions' && !routes) throw new Refusal(404, `Invalid URL (POST ${path})`);
  checkChatRequest(body, routes);
  const asked = askedOf(body);
  refuseOnCommand(asked.command, OVERFLOW, (status) => (status === 429 ? { code: 'rate_limit_exceeded' } : {}));
  const plan = planOf(asked);
  const model = String(body['model']);
  const options = body['stream_options'];
  const usage = isObject(options) && options['include_usage'] === true;
  const customTools = new Set(
    listOf(body['tools']).map(({ custom }) => (isObject(custom) ? custom['name'] : undefined)),
  );
  const wording = {
    frames: () => completionFrames(plan, model, { routes, customTools, usage }),
    whole: () => wholeCompletion(plan, model, { routes, customTools }),
    failure: FAILURE,
    failureFrame: () => `data: ${JSON.stringify(errorBody(FAILURE))}\n\n`,
  };
  return carryOut(plan, wording, body['stream'] === true, response);
}

const FAILURE = new Refusal(500, 'The server had an error while processing your request.', { type: 'server_error' });
const OVERFLOW = new Refusal(
  400,
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens. Please reduce the length of the messages.",
  { param: 'messages', code: 'context_length_exceeded' },
);

function askedOf(body: JsonObject): Parameters<typeof planOf>[0] {
  const { command, since } = commandIn(listOf(body['messages']));
  const { stop, reasoning, reasoning_effort: effort } = body;
  return {
    command,
    results: since.filter((message) => message['role'] === 'tool').map(textOf),
    rounds: since.filter((message) => listOf(message['tool_calls']).length > 0).length,
    thinks: isObject(reasoning) ? reasoning['effort'] !== 'none' : effort !== undefined && effort !== 'none',
    cap: Number(body['max_completion_tokens'] ?? body['max_tokens'] ?? 1_000),
    stop: Array.isArray(stop) ? stop.map(String) : typeof stop === 'string' ? [stop] : [],
  };
}
