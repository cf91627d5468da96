/** The formats the demo provider speaks: how requests are read, and answers, refusals and headers written. */
import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonObject } from '../core/json-object.ts';
import type { Answer } from './answer.ts';
import { readAnthropicAsk } from './anthropic-messages/read-ask.ts';
import { writeAnthropicAnswer } from './anthropic-messages/write-answer.ts';
import { writeAnthropicRefusal } from './anthropic-messages/write-refusal.ts';
import type { Ask } from './ask.ts';
import type { Writing } from './frame.ts';
import { writeGeminiRefusal } from './gemini/write-refusal.ts';
import { answer, bareModelName, MODEL_DATE, modelNames } from './models/index.ts';
import { readOpenaiAsk } from './openai-chat/read-ask.ts';
import { readCompletionAsk } from './openai-chat/read-completion.ts';
import { writeOpenaiAnswer } from './openai-chat/write-answer.ts';
import { writeCompletion } from './openai-chat/write-completion.ts';
import { writeOpenaiRefusal } from './openai-chat/write-refusal.ts';
import type { PromptCache } from './prompt-cache.ts';
import type { Refusal } from './refusal.ts';
import { servedModels } from './served-models.ts';

/** What every answer of a vendor has, and how it refuses. */
export interface DemoManner {
  readonly requestIdHeader: string;
  /** Headers of every answer, as the vendor sends them; none of them may reach a caller. */
  readonly headers: Readonly<Record<string, string>>;
  writeRefusal(refusal: Refusal, requestId: string): string;
}

export interface DemoDialect extends DemoManner {
  /** Reads a request and returns its answer; rejects with a `Refusal`. */
  answer(request: DemoRequest): Promise<{ readonly ask: Ask; readonly answer: Answer; readonly writing: Writing }>;
  listModels(): string;
}

export interface DemoRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
  readonly cache: PromptCache;
  readonly nowMs: number;
}

const MODELS_CREATED_SECONDS = Date.UTC(2026, 10, 1) / 1000;

export const openaiChat: DemoDialect = {
  requestIdHeader: 'x-request-id',
  headers: {
    'openai-organization': 'demo-organization',
    'openai-version': '2020-10-01',
    'x-ratelimit-limit-requests': '10000',
    'x-ratelimit-remaining-requests': '9999',
    'x-ratelimit-reset-requests': '6ms',
  },
  async answer({ body, cache, nowMs }) {
    const ask = readOpenaiAsk(body, cache);
    await turnAfter(ask);
    const model = datedModel(ask.model);
    const answered = answer(ask);
    return { ask, answer: answered, writing: writeOpenaiAnswer(ask, answered, model, nowMs) };
  },
  writeRefusal: writeOpenaiRefusal,
  listModels: () =>
    JSON.stringify({
      object: 'list',
      data: servedModels.map((id) => ({ id, object: 'model', created: MODELS_CREATED_SECONDS, owned_by: 'demo' })),
    }),
};

export const anthropicMessages: DemoDialect = {
  requestIdHeader: 'request-id',
  headers: {
    'anthropic-organization-id': '00000000-0000-4000-8000-000000000001',
    'anthropic-ratelimit-requests-limit': '10000',
    'anthropic-ratelimit-requests-remaining': '9999',
  },
  async answer({ headers, body, cache }) {
    const version = headers['anthropic-version'];
    const ask = readAnthropicAsk(body, typeof version === 'string' ? version : undefined, cache);
    await turnAfter(ask);
    const model = datedModel(ask.model);
    const answered = answer(ask);
    return { ask, answer: answered, writing: writeAnthropicAnswer(ask, answered, model) };
  },
  writeRefusal: writeAnthropicRefusal,
  listModels: () =>
    JSON.stringify({
      data: modelNames.map((id) => ({
        type: 'model',
        id,
        display_name: `Demo ${id}`,
        created_at: new Date(MODELS_CREATED_SECONDS * 1000).toISOString(),
      })),
      has_more: false,
      first_id: modelNames[0] ?? null,
      last_id: modelNames.at(-1) ?? null,
    }),
};

/** Text that goes on from a prompt: OpenAI's manner, but for the request and the answer. */
export const openaiCompletions: DemoDialect = {
  ...openaiChat,
  async answer({ body, nowMs }) {
    const asked = readCompletionAsk(body);
    const [ask] = asked.asks as readonly [Ask];
    await turnAfter(ask);
    const answers = asked.asks.map(answer);
    const [first] = answers as [Answer];
    const outputTokens = answers.reduce((sum, each) => sum + each.outputTokens, 0);
    return {
      ask,
      answer: { ...first, outputTokens },
      writing: writeCompletion(asked, answers, datedModel(ask.model), nowMs),
    };
  },
};

/** It only makes vectors. */
export const gemini: DemoManner = {
  requestIdHeader: 'x-request-id',
  headers: { 'server-timing': 'gfet4t7; dur=12', 'x-content-type-options': 'nosniff' },
  writeRefusal: writeGeminiRefusal,
};

/** Reading a long prompt takes a whole turn of the event loop. */
async function turnAfter({ prompt }: Ask): Promise<void> {
  if (prompt.input + prompt.cacheRead > TOKENS_A_TURN) await nextTurn();
}

const TOKENS_A_TURN = 10_000;

function datedModel(model: string): string {
  return `${bareModelName(model)}-${MODEL_DATE}`;
}
