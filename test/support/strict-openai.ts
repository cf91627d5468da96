/**
 * A provider that speaks Chat Completions as strictly as OpenAI does: it refuses, in OpenAI's shape,
 * what OpenAI refuses, and else obeys `strict-commands.ts`. Traits hang on a model's name:
 * `-nosampling`, and `gpt-new`, which wants `max_completion_tokens` and knows the role `developer`.
 * At OpenRouter's path it knows what OpenRouter adds: `reasoning`, `reasoning_details`, `cache_control`.
 * https://platform.openai.com/docs/api-reference/chat
 */
import type { ServerResponse } from 'node:http';
import { numberOf, planOf } from './strict-commands.ts';
import { completionFrames, wholeCompletion } from './strict-openai-answer.ts';
import { checkChatRequest, textOf } from './strict-openai-rules.ts';
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
  refuseOnCommand(asked.command);
  const plan = planOf(asked);
  if (body['stream'] === true) {
    const options = body['stream_options'];
    const frames = completionFrames(plan, String(body['model']), {
      routes,
      usage: isObject(options) && options['include_usage'] === true,
    });
    if (plan.end !== 'error') return sendStream(response, frames, plan.end);
    const error = new Refusal(500, 'The server had an error while processing your request.', { type: 'server_error' });
    return sendStream(response, [...frames, `data: ${JSON.stringify(errorBody(error))}\n\n`], 'end');
  }
  if (plan.end === 'error') throw new Refusal(500, 'The server had an error.', { type: 'server_error' });
  if (plan.end === 'break') return void response.destroy();
  if (plan.end === 'end') sendJson(response, wholeCompletion(plan, String(body['model']), routes));
}

function askedOf(body: JsonObject): Parameters<typeof planOf>[0] {
  const messages = listOf(body['messages']);
  const at = messages.findLastIndex((message) => message['role'] === 'user' && textOf(message) !== '');
  const since = messages.slice(at + 1);
  const { stop, reasoning, reasoning_effort: effort } = body;
  return {
    command: at === -1 ? '' : (textOf(messages[at]).split('\n').at(-1) ?? ''),
    results: since.filter((message) => message['role'] === 'tool').map(textOf),
    rounds: since.filter((message) => listOf(message['tool_calls']).length > 0).length,
    thinks: isObject(reasoning) ? reasoning['effort'] !== 'none' : effort !== undefined && effort !== 'none',
    cap: Number(body['max_completion_tokens'] ?? body['max_tokens'] ?? 1_000),
    stop: Array.isArray(stop) ? stop.map(String) : typeof stop === 'string' ? [stop] : [],
  };
}

function refuseOnCommand(command: string): void {
  if (command === 'overflow') {
    throw new Refusal(
      400,
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens. Please reduce the length of the messages.",
      { param: 'messages', code: 'context_length_exceeded' },
    );
  }
  const status = numberOf(command, 'status');
  if (status === null) return;
  const details = status === 429 ? { code: 'rate_limit_exceeded', headers: { 'retry-after': '17' } } : {};
  throw new Refusal(status, 'as it was asked', details);
}
