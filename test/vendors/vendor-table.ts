/**
 * What each kind's own documentation says of a call, one row per kind: where it goes, how it is signed, under which name the cap travels, and how
 * usage comes back. Written from those pages, not from the declarations, which it is there to check.
 */
import type { ProviderKind } from '../../src/providers/index.ts';

export interface VendorRow {
  /** Null: it has no conversations. */
  readonly chat: ChatRow | null;
  readonly messages?: MessagesRow;
  readonly completions?: CompletionsRow;
  readonly embeddings?: EmbeddingsRow;
  readonly images?: WholeRow;
  readonly moderations?: WholeRow;
  readonly rerank?: RerankRow;
  readonly speech?: SpeechRow;
  readonly transcriptions?: Pick<WholeRow, 'path'>;
  /** Further fields of its entry. */
  readonly fields?: Readonly<Record<string, string>>;
}

export interface SpeechRow extends Pick<WholeRow, 'path'> {
  /** What follows the path for the voice `some-voice`. Nothing if absent. */
  readonly below?: string;
  /** In which the key travels, if not as a bearer's. */
  readonly header?: string;
  /** The name of the field with the model, if not `model`. */
  readonly modelField?: string;
}

export interface ChatRow {
  readonly path: string;
  readonly cap: 'max_tokens' | 'max_completion_tokens';
  /** As the vendor writes it. */
  readonly usage: object;
  /** What that is charged as, in tokens. */
  readonly counts: Counts;
  /** Where a stream has it: in a chunk of its own at the end if absent. */
  readonly usageIn?: 'last_choice_chunk' | 'every_chunk' | 'choice' | 'x_groq';
  /** The field of a message in which thoughts are. */
  readonly thoughts?: 'reasoning' | 'reasoning_content';
}

export interface Counts {
  readonly input: number;
  readonly cached?: number;
  readonly written?: number;
  /** With thoughts. */
  readonly output: number;
  readonly thoughts?: number;
}

/** Its side in Anthropic's format. */
export interface MessagesRow {
  readonly path: string;
  readonly header: 'authorization' | 'x-api-key';
}

/** Of an operation without output. */
export interface WholeRow {
  readonly path: string;
  /** Null: it reports none, and what was counted is charged. */
  readonly usage: object | null;
  readonly tokens: number;
}

export interface EmbeddingsRow extends WholeRow {
  readonly usage: object;
}

export interface CompletionsRow extends Pick<ChatRow, 'path' | 'usage' | 'counts'> {
  readonly usageIn?: Extract<ChatRow['usageIn'], 'last_choice_chunk' | 'every_chunk'>;
}

export interface RerankRow extends WholeRow {
  /** The field that has the documents in order. */
  readonly list: 'results' | 'data';
}

/** Most report the three totals and no more. */
const TOTALS = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 };
const PLAIN: Counts = { input: 12, output: 7 };
const DETAILED = {
  ...TOTALS,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 5 },
};
const SPLIT: Counts = { input: 8, cached: 4, output: 7, thoughts: 5 };

const VECTORS = { usage: { prompt_tokens: 6, total_tokens: 6 }, tokens: 6 };
const TOTAL_ALONE = { usage: { total_tokens: 6 }, tokens: 6 };

function plain(path: string, more: Partial<ChatRow> = {}): ChatRow {
  return { path, cap: 'max_tokens', usage: TOTALS, counts: PLAIN, ...more };
}

const NEW_CAP = { cap: 'max_completion_tokens' } as const;
const WITH_DETAILS = { usage: DETAILED, counts: SPLIT } as const;
const V1 = '/v1/chat/completions';
const EMBEDDINGS = { path: '/v1/embeddings', ...VECTORS };
const COMPLETIONS: CompletionsRow = { path: '/v1/completions', usage: TOTALS, counts: PLAIN };
const RERANK = { path: '/v1/rerank', list: 'results', ...TOTAL_ALONE } as const;
const SPEECH = { path: '/v1/audio/speech' };
const LOCAL_MESSAGES = { path: '/v1/messages', header: 'authorization' } as const;
const ACCOUNT = '0123456789abcdef0123456789abcdef';

/** These have formats of their own, or are no vendor: other tests call them. */
export type ElsewhereTested = 'anthropic' | 'google' | 'azure' | 'bedrock' | 'vertex' | 'custom' | 'demo';

export const VENDORS: Readonly<Record<Exclude<ProviderKind, ElsewhereTested>, VendorRow>> = {
  openai: {
    chat: plain(V1, WITH_DETAILS),
    completions: COMPLETIONS,
    embeddings: EMBEDDINGS,
    moderations: { path: '/v1/moderations', usage: null, tokens: 0 },
    speech: SPEECH,
    images: {
      path: '/v1/images/generations',
      usage: { input_tokens: 6, output_tokens: 0, total_tokens: 6 },
      tokens: 6,
    },
  },
  openrouter: {
    chat: plain('/api/v1/chat/completions', {
      usage: { ...DETAILED, cost: 0.00019 },
      counts: SPLIT,
      thoughts: 'reasoning',
    }),
    messages: { path: '/api/v1/messages', header: 'authorization' },
    embeddings: { path: '/api/v1/embeddings', ...VECTORS },
    rerank: { ...RERANK, path: '/api/v1/rerank', usage: { total_tokens: 6, search_units: 1 } },
    speech: { path: '/api/v1/audio/speech' },
  },
  groq: {
    chat: plain('/openai/v1/chat/completions', {
      usage: { ...DETAILED, queue_time: 0.04, prompt_time: 0.001, completion_time: 0.02, total_time: 0.021 },
      counts: SPLIT,
      usageIn: 'x_groq',
      thoughts: 'reasoning',
    }),
    speech: { path: '/openai/v1/audio/speech' },
  },
  mistral: {
    chat: plain(V1, { usage: { ...TOTALS, num_cached_tokens: 4 }, counts: { input: 8, cached: 4, output: 7 } }),
    embeddings: EMBEDDINGS,
    moderations: { path: '/v1/moderations', usage: { ...TOTALS, completion_tokens: 0, total_tokens: 12 }, tokens: 12 },
  },
  deepseek: {
    chat: plain('/chat/completions', {
      usage: {
        ...TOTALS,
        prompt_cache_hit_tokens: 4,
        prompt_cache_miss_tokens: 8,
        completion_tokens_details: { reasoning_tokens: 5 },
      },
      counts: SPLIT,
      thoughts: 'reasoning_content',
    }),
    messages: { path: '/anthropic/v1/messages', header: 'x-api-key' },
    completions: { ...COMPLETIONS, path: '/beta/completions' },
  },
  // What it thought is in the total and not among the completion's tokens.
  xai: {
    chat: plain(V1, {
      usage: { ...TOTALS, total_tokens: 24, completion_tokens_details: { reasoning_tokens: 5 } },
      counts: { input: 12, output: 12, thoughts: 5 },
      thoughts: 'reasoning_content',
    }),
  },
  alibaba: {
    chat: plain('/compatible-mode/v1/chat/completions', {
      ...NEW_CAP,
      usage: {
        ...TOTALS,
        prompt_tokens_details: { cached_tokens: 4, cache_creation_input_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 5 },
      },
      counts: { input: 5, cached: 4, written: 3, output: 7, thoughts: 5 },
      thoughts: 'reasoning_content',
    }),
    embeddings: { path: '/compatible-mode/v1/embeddings', ...VECTORS },
  },
  moonshot: {
    chat: plain(V1, {
      usage: { ...TOTALS, cached_tokens: 4, completion_tokens_details: { reasoning_tokens: 5 } },
      counts: SPLIT,
      usageIn: 'choice',
      thoughts: 'reasoning_content',
    }),
  },
  zai: {
    chat: plain('/api/paas/v4/chat/completions', {
      ...WITH_DETAILS,
      usageIn: 'every_chunk',
      thoughts: 'reasoning_content',
    }),
  },
  minimax: {
    chat: plain(V1, { ...NEW_CAP, ...WITH_DETAILS, usageIn: 'last_choice_chunk', thoughts: 'reasoning_content' }),
    messages: { path: '/anthropic/v1/messages', header: 'authorization' },
  },
  cohere: {
    chat: plain('/compatibility/v1/chat/completions'),
    embeddings: { path: '/compatibility/v1/embeddings', ...VECTORS },
    rerank: {
      ...RERANK,
      path: '/v2/rerank',
      usage: { meta: { billed_units: { search_units: 1 }, tokens: { input_tokens: 6, output_tokens: 0 } } },
    },
  },
  perplexity: {
    chat: null,
    embeddings: {
      path: '/v1/embeddings',
      usage: { prompt_tokens: 6, total_tokens: 6, cost: { input_cost: 0.0001, total_cost: 0.0001, currency: 'USD' } },
      tokens: 6,
    },
  },
  ai21: { chat: plain('/studio/v1/chat/completions', { usageIn: 'last_choice_chunk' }) },
  inception: { chat: plain(V1, WITH_DETAILS) },
  stepfun: {
    chat: plain(V1, {
      usage: { ...TOTALS, cached_tokens: 4 },
      counts: { input: 8, cached: 4, output: 7 },
      thoughts: 'reasoning',
    }),
  },
  tencent: { chat: plain(V1, { ...WITH_DETAILS, usageIn: 'every_chunk', thoughts: 'reasoning_content' }) },
  upstage: { chat: plain('/v1/solar/chat/completions', { thoughts: 'reasoning' }) },
  voyage: {
    chat: null,
    embeddings: { path: '/v1/embeddings', ...TOTAL_ALONE },
    rerank: { ...RERANK, list: 'data' },
  },
  jina: { chat: null, embeddings: EMBEDDINGS, rerank: RERANK },
  elevenlabs: {
    chat: null,
    speech: {
      ...{ path: '/v1/text-to-speech', below: '/some-voice/stream?output_format=mp3_44100_128' },
      ...{ header: 'xi-api-key', modelField: 'model_id' },
    },
  },
  deepgram: { chat: null, transcriptions: { path: '/v1/listen' } },
  together: {
    chat: plain(V1, { usageIn: 'last_choice_chunk', thoughts: 'reasoning' }),
    completions: { ...COMPLETIONS, usageIn: 'last_choice_chunk' },
    embeddings: EMBEDDINGS,
    rerank: { ...RERANK, usage: { prompt_tokens: 6, completion_tokens: 0, total_tokens: 6 } },
    speech: SPEECH,
  },
  fireworks: {
    chat: plain('/inference/v1/chat/completions', {
      usage: { ...TOTALS, prompt_tokens_details: { cached_tokens: 4 } },
      counts: { input: 8, cached: 4, output: 7 },
      usageIn: 'last_choice_chunk',
      thoughts: 'reasoning_content',
    }),
    completions: { ...COMPLETIONS, path: '/inference/v1/completions', usageIn: 'last_choice_chunk' },
    embeddings: { path: '/inference/v1/embeddings', ...VECTORS },
    rerank: { ...RERANK, path: '/inference/v1/rerank', list: 'data', ...VECTORS },
  },
  cerebras: { chat: plain(V1, { ...NEW_CAP, ...WITH_DETAILS, usageIn: 'last_choice_chunk', thoughts: 'reasoning' }) },
  // Of Gemini and Gemma, what they thought is not among the completion's tokens, though the total is their sum.
  deepinfra: {
    chat: plain('/v1/openai/chat/completions', {
      usage: {
        prompt_tokens: 12,
        completion_tokens: 7,
        total_tokens: 28,
        completion_tokens_details: { reasoning_tokens: 9 },
      },
      counts: { input: 12, output: 16, thoughts: 9 },
      thoughts: 'reasoning_content',
    }),
    messages: { path: '/anthropic/v1/messages', header: 'authorization' },
    completions: { ...COMPLETIONS, path: '/v1/openai/completions' },
    embeddings: { path: '/v1/openai/embeddings', ...VECTORS },
  },
  baseten: { chat: plain(V1, { ...WITH_DETAILS, thoughts: 'reasoning_content' }) },
  sambanova: {
    chat: plain(V1, {
      usage: { ...TOTALS, total_tokens_per_sec: 311.2, time_to_first_token: 0.2, is_last_response: true },
      thoughts: 'reasoning_content',
    }),
    embeddings: EMBEDDINGS,
  },
  nebius: { chat: plain(V1, { thoughts: 'reasoning_content' }), embeddings: EMBEDDINGS },
  novita: {
    chat: plain('/openai/v1/chat/completions', { ...WITH_DETAILS, thoughts: 'reasoning_content' }),
    completions: { ...COMPLETIONS, path: '/openai/v1/completions' },
    embeddings: { path: '/openai/v1/embeddings', ...VECTORS },
    rerank: { ...RERANK, path: '/openai/v1/rerank', ...VECTORS },
  },
  nvidia: { chat: plain(V1, { thoughts: 'reasoning_content' }), embeddings: EMBEDDINGS },
  friendli: { chat: plain('/serverless/v1/chat/completions', { thoughts: 'reasoning_content' }) },
  chutes: { chat: plain(V1, { ...WITH_DETAILS, usageIn: 'every_chunk', thoughts: 'reasoning_content' }) },
  featherless: { chat: plain(V1) },
  hyperbolic: { chat: plain(V1) },
  nscale: { chat: plain(V1) },
  ovhcloud: { chat: plain(V1, { thoughts: 'reasoning_content' }), embeddings: EMBEDDINGS },
  scaleway: { chat: plain(V1, { thoughts: 'reasoning_content' }), embeddings: EMBEDDINGS, rerank: RERANK },
  wandb: { chat: plain(V1, { thoughts: 'reasoning' }) },
  vercel: {
    chat: plain(V1, {
      usage: { ...DETAILED, cost: 0.00019, market_cost: 0.00019 },
      counts: SPLIT,
      thoughts: 'reasoning',
    }),
    embeddings: EMBEDDINGS,
  },
  huggingface: { chat: plain(V1, { thoughts: 'reasoning' }) },
  'github-models': {
    chat: plain('/inference/chat/completions'),
    embeddings: { path: '/inference/embeddings', ...VECTORS },
  },
  cloudflare: {
    chat: plain(`/client/v4/accounts/${ACCOUNT}/ai/v1/chat/completions`, { thoughts: 'reasoning_content' }),
    embeddings: { path: `/client/v4/accounts/${ACCOUNT}/ai/v1/embeddings`, ...VECTORS },
    fields: { accountId: ACCOUNT },
  },
  ollama: {
    chat: plain(V1, { thoughts: 'reasoning' }),
    messages: LOCAL_MESSAGES,
    completions: COMPLETIONS,
    embeddings: EMBEDDINGS,
  },
  vllm: {
    chat: plain(V1, {
      usage: { ...TOTALS, prompt_tokens_details: { cached_tokens: 4 } },
      counts: { input: 8, cached: 4, output: 7 },
      usageIn: 'every_chunk',
      thoughts: 'reasoning',
    }),
    messages: LOCAL_MESSAGES,
    completions: { ...COMPLETIONS, usageIn: 'every_chunk' },
    embeddings: EMBEDDINGS,
    rerank: RERANK,
  },
  'llama-cpp': {
    chat: plain(V1, {
      usage: { ...TOTALS, prompt_tokens_details: { cached_tokens: 4 } },
      counts: { input: 8, cached: 4, output: 7 },
      thoughts: 'reasoning_content',
    }),
    messages: LOCAL_MESSAGES,
    completions: COMPLETIONS,
    embeddings: EMBEDDINGS,
    rerank: { ...RERANK, usage: { prompt_tokens: 6, total_tokens: 6 } },
  },
  'lm-studio': {
    chat: plain(V1, { thoughts: 'reasoning_content' }),
    messages: LOCAL_MESSAGES,
    completions: COMPLETIONS,
    embeddings: EMBEDDINGS,
  },
  sglang: {
    chat: plain(V1, {
      usage: { ...TOTALS, prompt_tokens_details: null, reasoning_tokens: 5 },
      counts: { input: 12, output: 7, thoughts: 5 },
      thoughts: 'reasoning_content',
    }),
    messages: LOCAL_MESSAGES,
    completions: COMPLETIONS,
    embeddings: EMBEDDINGS,
  },
  tgi: { chat: plain(V1), completions: COMPLETIONS },
};
