/**
 * A provider that speaks Responses as strictly as OpenAI does: it refuses, in OpenAI's shape, what OpenAI refuses, stores nothing, and
 * otherwise obeys `strict-commands.ts`. A model whose name ends in `-nosampling` takes no sampling parameters; where it ends in `-stores`,
 * requests may ask for answers to be stored (none is); where it ends in `-other`, its thoughts are those of another vendor.
 * https://platform.openai.com/docs/api-reference/responses
 */
import type { ServerResponse } from 'node:http';
import { carryOut, commandIn, refuseOnCommand, textOf } from './strict-answer.ts';
import { COUNTED_TOKENS, planOf } from './strict-commands.ts';
import { responseFrames, wholeResponse } from './strict-responses-answer.ts';
import { inputOf } from './strict-responses-input.ts';
import { checkResponsesRequest } from './strict-responses-rules.ts';
import {
  isObject,
  type JsonObject,
  type Received,
  Refusal,
  type StrictServer,
  sendJson,
  startStrictServer,
} from './strict-server.ts';

export function startStrictResponses(credential: string): Promise<StrictServer> {
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
  if (path === '/v1/responses/input_tokens') {
    checkResponsesRequest(body, true);
    return sendJson(response, { object: 'response.input_tokens', input_tokens: COUNTED_TOKENS });
  }
  if (path !== '/v1/responses') throw new Refusal(404, `Invalid URL (POST ${path})`);
  checkResponsesRequest(body);
  const asked = askedOf(body);
  refuseOnCommand(asked.command, OVERFLOW, (status) => (status === 429 ? { code: 'rate_limit_exceeded' } : {}));
  const plan = planOf(asked);
  const wording = {
    frames: () => responseFrames(plan, body),
    whole: () => wholeResponse(plan, body),
    failure: FAILURE,
    failureFrame: () => `event: error\ndata: ${JSON.stringify({ type: 'error', ...errorBody(FAILURE) })}\n\n`,
  };
  return carryOut(plan, wording, body['stream'] === true, response);
}

const FAILURE = new Refusal(500, 'The server had an error while processing your request.', { type: 'server_error' });
const OVERFLOW = new Refusal(
  400,
  'Your input exceeds the context window of this model. Please adjust your input and try again.',
  { param: 'input', code: 'context_length_exceeded' },
);

function askedOf(body: JsonObject): Parameters<typeof planOf>[0] {
  const items = inputOf(body);
  const { command, since } = commandIn(items);
  const { reasoning } = body;
  const isCall = (item: JsonObject | undefined) => /^(function|custom_tool)_call$/.test(String(item?.['type']));
  return {
    command,
    results: since
      .filter((item) => /_call_output$/.test(String(item['type'])))
      .map(({ output }) => textOf({ content: output })),
    rounds: since.filter((item, at) => isCall(item) && !isCall(since[at - 1])).length,
    thinks: isObject(reasoning) && reasoning['effort'] !== 'none',
    cap: Number(body['max_output_tokens'] ?? 1_000),
    stop: [],
  };
}
