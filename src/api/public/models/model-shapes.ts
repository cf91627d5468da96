/** One model in each of the shapes that clients expect, as JSON text. */
import type { Modality, Model, PriceLines, Prices } from '../../../catalog/model.ts';
import { unitPriceTexts } from '../../../catalog/unit-prices.ts';
import { formatPrice, type PicoUsd } from '../../../core/money.ts';
import { LIST_RATE, priceAtRate, type Rate } from '../../../core/rates/rate.ts';

/**
 * In OpenRouter's shape: https://openrouter.ai/docs/api-reference/list-available-models. Prices and limits are those of the preferred
 * target, the first to be tried; prices are at the rate that the caller is charged.
 */
export function openRouterModel(model: Model, rate: Rate = LIST_RATE, batchRate: Rate = rate): string {
  const prices = model.targets[0]?.prices ?? null;
  return JSON.stringify({
    id: model.id,
    canonical_slug: model.id,
    hugging_face_id: null,
    name: model.name,
    created: model.created,
    description: model.description,
    context_length: model.contextWindow,
    architecture: architecture(model),
    pricing: pricing(prices, rate),
    // This gateway's own: what lines of batches are charged, if that is another price.
    ...(batchRate !== rate && prices !== null && { batch_pricing: pricing(prices, batchRate) }),
    top_provider: {
      context_length: model.contextWindow,
      max_completion_tokens: model.outputCap,
      is_moderated: false,
    },
    per_request_limits: null,
    supported_parameters: model.supportedParameters,
    default_parameters: null,
    supported_voices: null,
    knowledge_cutoff: model.knowledgeCutoff,
    expiration_date: expirationOf(model),
    links: { details: `/api/v1/models/${model.id}/endpoints` },
  });
}

export function architecture({ inputModalities, outputModalities }: Model): object {
  return {
    modality: `${inputModalities.join('+')}->${outputModalities.join('+')}`,
    input_modalities: inputModalities,
    output_modalities: outputModalities,
    tokenizer: 'Other',
    instruct_type: null,
  };
}

/** The day on which the preferred target's provider ends it. */
function expirationOf({ targets }: Model): string | null {
  const retiresAt = targets[0]?.retiresAt;
  return retiresAt === undefined ? null : new Date(retiresAt).toISOString().slice(0, 10);
}

/** https://platform.openai.com/docs/api-reference/models/object; an alias without a slash is this gateway's. */
export function openAiModel(model: Model): string {
  return JSON.stringify({
    id: model.id,
    object: 'model',
    created: model.created,
    owned_by: model.id.includes('/') ? model.id.slice(0, model.id.indexOf('/')) : 'turnpike',
  });
}

/** https://docs.anthropic.com/en/api/models-list; an unknown date is the epoch, as in Anthropic's API. */
export function anthropicModel(model: Model): string {
  return JSON.stringify({
    type: 'model',
    id: model.id,
    display_name: model.name,
    created_at: new Date(model.created * 1000).toISOString().replace('.000Z', 'Z'),
    max_input_tokens: model.contextWindow,
    max_tokens: model.outputCap,
  });
}

/** https://ai.google.dev/api/models#Model; what is unknown is left out. */
export function googleModel(model: Model): string {
  const { contextWindow, outputCap, outputModalities, supportedParameters } = model;
  return JSON.stringify({
    name: `models/${model.id}`,
    baseModelId: model.id,
    displayName: model.name,
    description: model.description,
    ...(contextWindow !== null && { inputTokenLimit: contextWindow }),
    ...(outputCap !== null && { outputTokenLimit: outputCap }),
    supportedGenerationMethods: outputModalities.flatMap((modality) => METHODS[modality] ?? []),
    thinking: supportedParameters.includes('reasoning'),
  });
}

/** By what a model writes. */
const METHODS: { readonly [Written in Modality]?: readonly string[] } = {
  text: ['generateContent', 'streamGenerateContent', 'countTokens'],
  embeddings: ['embedContent', 'batchEmbedContents'],
};

/** OpenRouter's value for a price that is not known in advance. */
const UNKNOWN_PRICE = '-1';

/** USD per unit as exact decimal text, at the rate that the caller is charged. */
export function pricing(prices: Prices | null, rate: Rate): object {
  if (prices === null) return { prompt: UNKNOWN_PRICE, completion: UNKNOWN_PRICE };
  const { tiers, units } = prices;
  const base = { ...priceTexts(prices, rate), ...unitTexts(units, rate) };
  if (tiers.length === 0) return base;
  return {
    ...base,
    overrides: tiers.map((tier) => ({ min_prompt_tokens: tier.abovePromptTokens, ...priceTexts(tier, rate) })),
  };
}

/** `image_output` is OpenRouter's name for images that a model makes; `units` has all prices by the piece, by name. */
function unitTexts(units: Prices['units'], rate: Rate): object {
  const texts = unitPriceTexts(units, rate);
  if (texts === null) return {};
  return { ...('image' in texts && { image_output: texts['image'] }), units: texts };
}

/** USD per unit as exact decimal text; a line that is billed as another one is omitted, as by OpenRouter. */
function priceTexts(lines: PriceLines, rate: Rate): object {
  const optional = (price: PicoUsd | null) => (price === null ? undefined : formatPrice(priceAtRate(price, rate)));
  return {
    prompt: formatPrice(priceAtRate(lines.input, rate)),
    completion: formatPrice(priceAtRate(lines.output, rate)),
    request: optional(lines.request),
    image: optional(lines.image),
    image_token: optional(lines.inputImage),
    audio: optional(lines.inputAudio),
    audio_output: optional(lines.outputAudio),
    input_cache_read: optional(lines.cacheRead),
    input_cache_write: optional(lines.cacheWrite),
    input_cache_write_1h: optional(lines.cacheWrite1h),
    internal_reasoning: optional(lines.reasoning),
    web_search: optional(lines.webSearch),
  };
}
