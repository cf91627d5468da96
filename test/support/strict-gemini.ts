/**
 * A provider that speaks generateContent as strictly as Google AI does: it refuses, in Google's shape, what Google refuses, and otherwise
 * obeys `strict-commands.ts`. A model whose name begins with `gemini-3` signs its calls and wants the first of each step back with its
 * signature; older ones know `thinkingBudget` only.
 * https://ai.google.dev/api/generate-content
 */
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { carryOut, refuseOnCommand } from './strict-answer.ts';
import { COUNTED_TOKENS, planOf } from './strict-commands.ts';
import { geminiChunks, wholeGemini } from './strict-gemini-answer.ts';
import { allow, checkContents, commandOf, refused, resultOf } from './strict-gemini-contents.ts';
import { checkGenerateRequest } from './strict-gemini-rules.ts';
import {
  isObject,
  type JsonObject,
  listOf,
  type Received,
  Refusal,
  type StreamEnd,
  type StrictServer,
  sendJson,
  startStrictServer,
} from './strict-server.ts';

export function startStrictGemini(credential: string): Promise<StrictServer> {
  return startStrictServer({
    answer: (received, response) => answer(received, response, credential),
    refusalBody: errorBody,
  });
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

function errorBody({ status, message, code }: Refusal): JsonObject {
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code, domain: 'googleapis.com' };
  const details =
    status === 429
      ? [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '17s' }]
      : code === null
        ? []
        : [info];
  const word = STATUS_WORDS[status] ?? 'UNKNOWN';
  return { error: { code: status, message, status: word, ...(details.length === 0 ? {} : { details }) } };
}

async function answer({ path, headers, body }: Received, response: ServerResponse, credential: string): Promise<void> {
  if (headers['x-goog-api-key'] !== credential)
    throw new Refusal(400, 'API key not valid. Please pass a valid API key.', { code: 'API_KEY_INVALID' });
  const [route = '', query = ''] = path.split('?');
  const [, encoded, verb] = /^\/v1beta\/models\/([^/:]+):([a-zA-Z]+)$/.exec(route) ?? [];
  if (encoded === undefined) throw new Refusal(404, `Requested entity was not found: ${route}`);
  const model = decodeURIComponent(encoded);
  if (verb === 'countTokens') return countTokens(body, model, response);
  if (verb === 'embedContent' || verb === 'batchEmbedContents') return embed(body, model, verb, response);
  const streamed = verb === 'streamGenerateContent';
  if (!streamed && verb !== 'generateContent') throw new Refusal(404, `Unknown method ${verb}`);
  checkGenerateRequest(body, model);
  checkContents(body['contents'], model);
  const asked = askedOf(body);
  refuseOnCommand(asked.command, OVERFLOW, () => ({}));
  const plan = planOf(asked);
  if (plan.end === 'error' && !streamed) throw FAILURE;
  if (streamed && query !== 'alt=sse') return sendArray(response, geminiChunks(plan, model), plan.end);
  const wording = {
    frames: () => geminiChunks(plan, model).map(frameOf),
    whole: () => wholeGemini(plan, model),
    failure: FAILURE,
    failureFrame: () => frameOf(errorBody(FAILURE)),
  };
  return carryOut(plan, wording, streamed, response);
}

const FAILURE = new Refusal(500, 'An internal error has occurred. Please retry.');
const OVERFLOW = new Refusal(
  400,
  'The input token count (130000) exceeds the maximum number of tokens allowed (128000).',
);

function frameOf(chunk: JsonObject): string {
  return `data: ${JSON.stringify(chunk)}\r\n\r\n`;
}

/** Without `alt=sse` the stream is one array that grows. */
async function sendArray(response: ServerResponse, chunks: readonly JsonObject[], end: Plan['end']): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' });
  const sent = end === 'error' ? [...chunks, errorBody(FAILURE)] : chunks;
  for (const [index, chunk] of sent.entries()) {
    response.write(`${index === 0 ? '[' : ',\r\n'}${JSON.stringify(chunk)}`);
    await nextTurn();
  }
  if (end === 'break') response.destroy();
  else if (end !== 'hold') response.end('\r\n]');
}

type Plan = { readonly end: StreamEnd | 'error' };

function countTokens(body: JsonObject, model: string, response: ServerResponse): void {
  const inner = body['generateContentRequest'];
  if (isObject(inner)) {
    if (body['contents'] !== undefined) throw new Refusal(400, 'contents and generateContentRequest are both set.');
    if (inner['model'] !== `models/${model}`) throw new Refusal(400, 'The model of the request is another one.');
    const { model: _model, ...request } = inner;
    checkGenerateRequest(request, model);
    checkContents(request['contents'], model);
  } else {
    checkContents(body['contents'], model);
  }
  sendJson(response, {
    totalTokens: COUNTED_TOKENS,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: COUNTED_TOKENS }],
  });
}

function askedOf(body: JsonObject): Parameters<typeof planOf>[0] {
  const { command, since } = commandOf(listOf(body['contents']));
  const config = isObject(body['generationConfig']) ? body['generationConfig'] : {};
  const thinking = isObject(config['thinkingConfig']) ? config['thinkingConfig'] : {};
  const stop = config['stopSequences'];
  return {
    command,
    results: since.flatMap(({ parts }) => listOf(parts)).flatMap(resultOf),
    rounds: since.filter(({ parts }) => listOf(parts).some((part) => isObject(part['functionCall']))).length,
    thinks: thinking['includeThoughts'] === true && thinking['thinkingBudget'] !== 0,
    cap: Number(config['maxOutputTokens'] ?? 1_000),
    stop: Array.isArray(stop) ? stop.map(String) : [],
  };
}

const VECTOR = { values: [0.25, -0.5, 0.125] };

/** https://ai.google.dev/api/embeddings; Google AI reports no usage. */
function embed(body: JsonObject, model: string, verb: string, response: ServerResponse): void {
  const requests = verb === 'embedContent' ? [body] : listOf(body['requests']);
  for (const request of requests) {
    allow(request, ['model', 'content', 'taskType', 'title', 'outputDimensionality'], 'request');
    if (request['model'] !== undefined && request['model'] !== `models/${model}`)
      throw refused('The model of the request must match that of the path.');
    if (!isObject(request['content'])) throw refused('* EmbedContentRequest.content: contents is not specified');
  }
  if (verb === 'embedContent') return sendJson(response, { embedding: VECTOR });
  sendJson(response, { embeddings: requests.map(() => VECTOR) });
}
