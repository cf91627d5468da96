/** Answers of a stand-in for a vendor, in the vendor's shape. */
import type { Exchange } from '../support/scripted-upstream.ts';
import { anthropicBody, data } from '../support/upstream-scripts.ts';
import type { ChatRow, CompletionsRow, EmbeddingsRow, RerankRow, WholeRow } from './vendor-table.ts';

export const TEXT = 'Hello you';
export const THOUGHT = 'A greeting.';
export const SOUND = 'ID3 and some sound';

export async function answerChat(exchange: Exchange, row: ChatRow): Promise<void> {
  if (exchange.json['stream'] !== true) return exchange.whole(200, JSON.stringify(wholeAnswer(row)));
  await exchange.openStream();
  for (const chunk of chunksOf(row)) await exchange.chunk(data(chunk));
  await exchange.chunk('data: [DONE]\n\n');
  await exchange.lastChunk();
}

export function answerMessages(exchange: Exchange): Promise<void> {
  return exchange.whole(200, anthropicBody(TEXT));
}

export function answerEmbeddings(exchange: Exchange, { usage }: EmbeddingsRow): Promise<void> {
  const vector = { object: 'embedding', index: 0, embedding: [0.25, -0.5] };
  return exchange.whole(200, JSON.stringify({ object: 'list', data: [vector], model: 'some-vectors', usage }));
}

export async function answerCompletion(exchange: Exchange, { usage, usageIn }: CompletionsRow): Promise<void> {
  const whole = { id: 'cmpl-1', object: 'text_completion', created: 1, model: 'some-model' };
  const choice = (text: string, finish_reason: string | null) => ({ index: 0, text, logprobs: null, finish_reason });
  if (exchange.json['stream'] !== true)
    return exchange.whole(200, JSON.stringify({ ...whole, choices: [choice(TEXT, 'stop')], usage }));
  const growing = usageIn === 'every_chunk' ? { usage: begun(usage) } : {};
  const end = usageIn === 'last_choice_chunk' ? { usage } : growing;
  await exchange.openStream();
  await exchange.chunk(data({ ...whole, choices: [choice('Hello', null)], ...growing }));
  await exchange.chunk(data({ ...whole, choices: [choice(' you', 'stop')], ...end }));
  if (usageIn !== 'last_choice_chunk') await exchange.chunk(data({ ...whole, choices: [], usage }));
  await exchange.chunk('data: [DONE]\n\n');
  await exchange.lastChunk();
}

export function answerModeration(exchange: Exchange, { usage }: WholeRow): Promise<void> {
  const results = [{ flagged: false, categories: { violence: false }, category_scores: { violence: 0.01 } }];
  return exchange.whole(200, JSON.stringify({ id: 'modr-1', model: 'some-judge', results, ...reported(usage) }));
}

export function answerImages(exchange: Exchange, { usage }: WholeRow): Promise<void> {
  return exchange.whole(200, JSON.stringify({ created: 1, data: [{ b64_json: 'aGk=' }], ...reported(usage) }));
}

export function answerSpeech(exchange: Exchange): Promise<void> {
  return exchange.whole(200, SOUND, { 'content-type': 'audio/mpeg' });
}

export function answerRerank(exchange: Exchange, { usage, list }: RerankRow): Promise<void> {
  const order = [
    { index: 1, relevance_score: 0.9 },
    { index: 0, relevance_score: 0.1 },
  ];
  return exchange.whole(200, JSON.stringify({ model: 'some-reranker', [list]: order, ...reported(usage) }));
}

/** Cohere has it in `meta`. */
function reported(usage: object | null): object {
  if (usage === null) return {};
  return 'meta' in usage ? usage : { usage };
}

function wholeAnswer({ usage, thoughts }: ChatRow): object {
  const message = {
    role: 'assistant',
    content: TEXT,
    ...(thoughts !== undefined && { [thoughts]: THOUGHT }),
  };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'some-model',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage,
  };
}

function chunksOf({ usage, usageIn, thoughts }: ChatRow): object[] {
  const deltas = [
    { role: 'assistant', content: '' },
    ...(thoughts === undefined ? [] : [{ [thoughts]: THOUGHT }]),
    { content: 'Hello' },
    { content: ' you' },
  ];
  const first = deltas.map((delta) => chunk([{ index: 0, delta, finish_reason: null }]));
  const end = { index: 0, delta: {}, finish_reason: 'stop' };
  switch (usageIn) {
    case 'last_choice_chunk':
      return [...first, { ...chunk([end]), usage }];
    case 'every_chunk':
      // It grows with each; only the last is the whole.
      return [...first.map((each) => ({ ...each, usage: begun(usage) })), chunk([end]), { ...chunk([]), usage }];
    case 'choice':
      return [...first, chunk([{ ...end, usage }])];
    case 'x_groq':
      return [...first, { ...chunk([end]), x_groq: { id: 'req_1', usage } }];
    default:
      return [...first, chunk([end]), { ...chunk([]), usage }];
  }
}

function begun(usage: object): object {
  return { ...usage, completion_tokens: 1, total_tokens: 13, completion_tokens_details: null };
}

function chunk(choices: readonly object[]): object {
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'some-model', choices };
}
