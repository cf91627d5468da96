/**
 * The demo provider's models for the catalogue: ordinary models at ordinary prices, so that records, costs and balances look
 * as with a real provider.
 */

import { parsePrice } from '../core/money.ts';
import { unitPrices } from '../core/units/units.ts';
import { anthropicMessages } from '../dialects/anthropic-messages/anthropic-messages.ts';
import { gemini } from '../dialects/gemini/gemini.ts';
import { openaiChat } from '../dialects/openai-chat/openai-chat.ts';
import { CONTEXT_WINDOW, OUTPUT_CAP, READ_TOKENS_MAX } from './limits.ts';
import { modelNames } from './models/index.ts';
import { MODERATION_MODEL } from './openai-chat/moderations.ts';
import { RANKING_MODEL } from './openai-chat/rerank.ts';
import { LISTENING_MODEL } from './openai-chat/transcripts.ts';
import { IMAGE_MODEL } from './png-of.ts';
import { SPEECH_MODEL } from './sound-of.ts';
import { EMBEDDING_MODEL } from './vector-of.ts';

/** 2026-11-01 */
const CREATED_SECONDS = Date.UTC(2026, 10, 1) / 1000;

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  echo: 'Repeats the last message, at the price of a small model.',
  lorem: 'Writes `tokens=200` words at `rate=50` per second.',
  tools: 'Calls the first tool offered, or all of them with `parallel`, and repeats their results.',
  flaky: 'Fails on request: `429`, `500`, `slow`, `cut`, `garbage` and more.',
};

const PARAMETERS = [
  'max_tokens',
  'max_completion_tokens',
  'stop',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'structured_outputs',
  'reasoning',
  'reasoning_effort',
] as const;

/** $1 and $5 per million tokens; a cache read costs a tenth of the input price, a write 1.25 times as much, or twice (1 h). */
const PRICES = {
  input: parsePrice('0.000001'),
  output: parsePrice('0.000005'),
  cacheRead: parsePrice('0.0000001'),
  cacheWrite: parsePrice('0.00000125'),
  cacheWrite1h: parsePrice('0.000002'),
  inputAudio: null,
  outputAudio: null,
  cacheReadAudio: null,
  inputImage: null,
  outputImage: null,
  reasoning: null,
  image: null,
  request: null,
  webSearch: null,
  fileSearch: null,
  codeInterpreter: null,
  units: [],
  tiers: [],
} as const;

const conversations = modelNames.map((name) => ({
  id: `demo/${name}`,
  name: `Demo: ${name}`,
  description: DESCRIPTIONS[name] ?? '',
  created: CREATED_SECONDS,
  contextWindow: CONTEXT_WINDOW,
  outputCap: OUTPUT_CAP,
  inputModalities: ['text', 'image', 'file'] as const,
  outputModalities: ['text'] as const,
  supportedParameters: PARAMETERS,
  efforts: null,
  quirks: { [anthropicMessages.name]: { systemAnywhere: true } },
  knowledgeCutoff: null,
  targets: [
    {
      provider: 'demo',
      upstreamModel: name,
      dialects: [openaiChat.name, anthropicMessages.name],
      contextWindow: CONTEXT_WINDOW,
      outputCap: OUTPUT_CAP,
      tokenizer: 'words' as const,
      prices: PRICES,
      priceVersion: null,
    },
  ],
}));

/** What such a model reads besides, or instead of, texts. */
const READS: Readonly<Record<string, readonly ('text' | 'image' | 'audio')[]>> = {
  image: ['text', 'image'],
  transcription: ['audio'],
};

/** A model that reads and does not write, at this price for a token of what it reads, or at these for what it makes. */
function reader(
  name: string,
  purpose: 'embeddings' | 'rerank' | 'moderation' | 'image' | 'audio' | 'transcription',
  description: string,
  price: string,
  units: Readonly<Record<string, string>> = {},
) {
  const input = parsePrice(price);
  const only = { output: parsePrice('0'), cacheRead: null, cacheWrite: null, cacheWrite1h: null };
  return {
    id: `demo/${name}`,
    name: `Demo: ${name}`,
    description,
    created: CREATED_SECONDS,
    contextWindow: READ_TOKENS_MAX,
    outputCap: null,
    inputModalities: READS[purpose] ?? (['text'] as const),
    outputModalities: [purpose],
    supportedParameters: [],
    efforts: null,
    quirks: {},
    knowledgeCutoff: null,
    targets: [
      {
        provider: 'demo',
        upstreamModel: name,
        dialects: purpose === 'embeddings' ? [openaiChat.name, gemini.name] : [openaiChat.name],
        contextWindow: READ_TOKENS_MAX,
        outputCap: null,
        tokenizer: 'words' as const,
        prices: {
          ...{ ...PRICES, ...only, input },
          units: unitPrices(Object.entries(units).map(([unit, each]) => [unit, parsePrice(each)])),
        },
        priceVersion: null,
      },
    ],
  };
}

/** $0.15 and $0.05 per million tokens; judging costs nothing, as at OpenAI; a cent for each image, whatever its size; $15 for a million characters, $0.006 for
 * a minute. */
const readers = [
  reader(
    EMBEDDING_MODEL,
    'embeddings',
    'Turns texts into vectors: those with words in common are alike.',
    '0.00000015',
  ),
  reader(RANKING_MODEL, 'rerank', 'Orders documents by the words they have in common with a query.', '0.00000005'),
  reader(MODERATION_MODEL, 'moderation', 'Flags a text that names a category, such as `violence`.', '0'),
  reader(IMAGE_MODEL, 'image', 'Makes images of one colour, which depends on the text.', '0', { image: '0.01' }),
  reader(SPEECH_MODEL, 'audio', 'Speaks a text: a tone for each word.', '0', { character: '0.000015' }),
  reader(LISTENING_MODEL, 'transcription', 'Says how long a recording is, instead of what is said in it.', '0', {
    second: '0.0001',
  }),
];

export const demoModels = [...conversations, ...readers];
