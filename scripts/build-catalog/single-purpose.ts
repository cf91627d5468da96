/**
 * Models that do one thing besides conversations: make images, speak, write down recordings, rank documents, judge texts. The tables do not say what they
 * read and write, so they are named here, each with the page that does; their prices are LiteLLM's. Left out are one of which the table disagrees with the
 * vendor on what a token of text costs (`gpt-4o-mini-tts`: https://developers.openai.com/api/docs/models/gpt-4o-mini-tts), and those that have ended (DALL·E).
 */
import type { Modality } from '../../src/catalog/model.ts';
import { parseExact } from '../../src/catalog/price-tables/exact-json.ts';
import { type LitellmTable, litellmModels, litellmPrices } from '../../src/catalog/price-tables/litellm-prices.ts';
import { litellmClasses, litellmUnits, withImageTokens } from '../../src/catalog/price-tables/litellm-units.ts';
import type { TablePrices } from '../../src/catalog/price-tables/table-prices.ts';
import { openaiChat } from '../../src/dialects/openai-chat/openai-chat.ts';
import type { MergedModel } from './merge-offers.ts';
import { NOTHING_SAID } from './offer.ts';

interface Group {
  /** Our provider. */
  readonly provider: string;
  /** As ids spell it. */
  readonly vendor: string;
  readonly reads: readonly Modality[];
  readonly writes: Modality;
  readonly names: readonly string[];
}

const GROUPS: readonly Group[] = [
  // https://platform.openai.com/docs/guides/image-generation
  {
    ...{ provider: 'openai', vendor: 'openai', reads: ['text', 'image'], writes: 'image' },
    names: ['gpt-image-1', 'gpt-image-1-mini', 'gpt-image-1.5', 'gpt-image-2'],
  },
  // https://platform.openai.com/docs/guides/text-to-speech
  { provider: 'openai', vendor: 'openai', reads: ['text'], writes: 'audio', names: ['tts-1', 'tts-1-hd'] },
  // https://platform.openai.com/docs/guides/speech-to-text; a token of sound costs what one of text does:
  // https://developers.openai.com/api/docs/models/gpt-4o-transcribe, https://developers.openai.com/api/docs/models/gpt-4o-mini-transcribe
  {
    ...{ provider: 'openai', vendor: 'openai', reads: ['audio'], writes: 'transcription' },
    names: ['whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe'],
  },
  // Free: https://platform.openai.com/docs/guides/moderation
  {
    ...{ provider: 'openai', vendor: 'openai', reads: ['text', 'image'], writes: 'moderation' },
    names: ['omni-moderation-latest'],
  },
  // https://console.groq.com/docs/speech-to-text
  {
    ...{ provider: 'groq', vendor: 'openai', reads: ['audio'], writes: 'transcription' },
    names: ['whisper-large-v3', 'whisper-large-v3-turbo'],
  },
  // https://docs.cohere.com/docs/rerank
  {
    ...{ provider: 'cohere', vendor: 'cohere', reads: ['text'], writes: 'rerank' },
    names: ['rerank-english-v3.0', 'rerank-multilingual-v3.0', 'rerank-v3.5'],
  },
  // https://docs.voyageai.com/docs/reranker
  {
    ...{ provider: 'voyage', vendor: 'voyage', reads: ['text'], writes: 'rerank' },
    names: ['rerank-2', 'rerank-2-lite', 'rerank-2.5', 'rerank-2.5-lite'],
  },
];

/** Those that LiteLLM's table has a price for. */
export function singlePurposeModels(text: string): MergedModel[] {
  const table = parseExact(text) as LitellmTable;
  const classes = litellmClasses(table);
  const listed = new Map(litellmModels(table).map((model) => [`${model.provider}/${model.upstreamModel}`, model]));
  return GROUPS.flatMap(({ provider, vendor, reads, writes, names }) =>
    names.flatMap((upstreamModel): MergedModel[] => {
      const model = listed.get(`${provider}/${upstreamModel}`);
      if (model === undefined) return [];
      const units = litellmUnits(model.entry, upstreamModel, classes);
      const prices = units.length > 0 ? UNITS_ALONE : litellmPrices({ ...model, entry: withImageTokens(model.entry) });
      if (prices === null) return [];
      const offer = {
        ...{ provider, upstreamModel, displayName: null, created: 0, knowledgeCutoff: null },
        ...{ contextWindow: null, outputCap: null, inputModalities: reads, outputModalities: [writes] },
        ...{ supportedParameters: [], abilities: NOTHING_SAID, prices, units, sameAs: null, serves: null },
        ...{ dialects: [openaiChat.name], withdrawn: false, retires: null },
      };
      return [{ id: `${vendor}/${upstreamModel}`, aliases: [], offers: [offer] }];
    }),
  );
}

const UNITS_ALONE: TablePrices = {
  ...{ input: 0n, output: 0n, cacheRead: null, cacheWrite: null, cacheWrite1h: null, inputAudio: null },
  ...{ outputAudio: null, cacheReadAudio: null, inputImage: null, outputImage: null, reasoning: null, request: null },
  ...{ webSearch: null, fileSearch: null, codeInterpreter: null, tiers: [] },
};
