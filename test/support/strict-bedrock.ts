/**
 * A provider that speaks Converse as strictly as Bedrock does: it checks the signature of each request, refuses what Bedrock refuses, and
 * otherwise obeys `strict-commands.ts`. What a model takes depends on its name, as there.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
import type { ServerResponse } from 'node:http';
import { type AwsAccount, checkAwsSignature } from './check-aws-signature.ts';
import { carryOut, commandIn, refuseOnCommand, textOf } from './strict-answer.ts';
import { EVENT_STREAM, exceptionFrame, messageFrames, wholeMessage } from './strict-bedrock-answer.ts';
import { checkConverseRequest, traitsOf } from './strict-bedrock-rules.ts';
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

export function startStrictBedrock(account: AwsAccount): Promise<StrictServer> {
  return startStrictServer({
    answer: async (received, response) => {
      try {
        await answer(received, response, account);
      } catch (error) {
        throw error instanceof Refusal ? namedInHeader(error) : error;
      }
    },
    refusalBody: ({ message }) => ({ message }),
  });
}

/** The exception's name is in a header, with an address after it. */
function namedInHeader({ status, message, type, headers }: Refusal): Refusal {
  const name = type === 'invalid_request_error' ? 'ValidationException' : type;
  const named = { ...headers, 'x-amzn-errortype': `${name}:http://internal.amazon.com/coral/com.amazon.bedrock/` };
  return new Refusal(status, message, { type: name, headers: named });
}

async function answer(received: Received, response: ServerResponse, account: AwsAccount): Promise<void> {
  await checkAwsSignature(received, account);
  const [, encoded = '', action = ''] =
    /^\/model\/([^/]+)\/(converse|converse-stream|count-tokens)$/.exec(received.path) ?? [];
  const model = decodeURIComponent(encoded);
  if (action === '') throw new Refusal(404, 'Unknown operation', { type: 'UnknownOperationException' });
  if (!/^[a-z0-9.:-]+$/.test(model) || model.includes('missing'))
    throw new Refusal(400, 'The provided model identifier is invalid.');
  const traits = traitsOf(model);
  if (action === 'count-tokens') {
    const { input } = received.body;
    const converse = isObject(input) && isObject(input['converse']) ? input['converse'] : {};
    checkConverseRequest({ ...converse, inferenceConfig: { maxTokens: traits.outputCap } }, traits);
    return sendJson(response, { inputTokens: COUNTED_TOKENS });
  }
  checkConverseRequest(received.body, traits);
  const asked = askedOf(received.body);
  refuseOnCommand(asked.command, OVERFLOW, (status) => ({ type: TYPES[status] ?? 'InternalServerException' }));
  const plan = planOf(asked);
  const hidesThinking = fieldOf(received.body, 'thinking')['display'] === 'omitted';
  const wording = {
    frames: () => messageFrames(plan, hidesThinking),
    whole: () => wholeMessage(plan, hidesThinking),
    failure: FAILURE,
    failureFrame: () => exceptionFrame('serviceUnavailableException', FAILURE.message),
    contentType: EVENT_STREAM,
  };
  return carryOut(plan, wording, action === 'converse-stream', response);
}

const FAILURE = new Refusal(503, 'Bedrock is unable to process your request.', { type: 'ServiceUnavailableException' });
const OVERFLOW = new Refusal(400, 'Input is too long for requested model.');
const TYPES: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  401: 'UnrecognizedClientException',
  403: 'AccessDeniedException',
  408: 'ModelTimeoutException',
  424: 'ModelErrorException',
  429: 'ThrottlingException',
  503: 'ServiceUnavailableException',
};

function fieldOf(body: JsonObject, name: string): JsonObject {
  const { additionalModelRequestFields: fields } = body;
  const field = isObject(fields) ? fields[name] : undefined;
  return isObject(field) ? field : {};
}

/** The messages as `strict-answer.ts` reads them: each text with its type. */
function typed(messages: readonly JsonObject[]): readonly JsonObject[] {
  const withType = (block: JsonObject) =>
    String(block['text'] ?? '').trim() === '' ? block : { type: 'text', ...block };
  return messages.map((message) => ({ ...message, content: listOf(message['content']).map(withType) }));
}

function askedOf(body: JsonObject): Parameters<typeof planOf>[0] {
  const { command, since } = commandIn(typed(listOf(body['messages'])));
  const results = since
    .flatMap((turn) => listOf(turn['content']))
    .map((block) => block['toolResult'])
    .filter(isObject);
  const { maxTokens, stopSequences } = body['inferenceConfig'] as JsonObject;
  const thinking = fieldOf(body, 'thinking')['type'];
  return {
    command,
    results: results.map((result) => {
      const text = textOf({ content: listOf(result['content']).map((part) => ({ type: 'text', ...part })) });
      return result['status'] === 'error' ? `error(${text})` : text;
    }),
    rounds: since.filter((turn) => listOf(turn['content']).some((block) => 'toolUse' in block)).length,
    thinks: thinking === 'enabled' || thinking === 'adaptive',
    cap: Number(maxTokens),
    stop: Array.isArray(stopSequences) ? stopSequences.map(String) : [],
  };
}
