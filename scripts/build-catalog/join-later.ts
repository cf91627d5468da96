/**
 * The offers of makers and hosts that came after the first catalogue. Ids, prices and facts that callers know stay as they are: an offer joins
 * the model that has its name already, or becomes a new one. A maker comes first among the targets, a host last.
 *
 * Only the name says that two offers are one model: what tables call the base of a model may be an older one, or the same at another speed.
 */
import { findProviderKind } from '../../src/providers/index.ts';
import { noConversations } from '../../src/providers/route.ts';
import type { MergedModel, PricedOffer } from './merge-offers.ts';

/** Our provider → the vendor whose models it makes, in the spelling of OpenRouter's ids. */
const LATER_VENDORS: Readonly<Record<string, string>> = {
  moonshot: 'moonshotai',
  zai: 'z-ai',
  minimax: 'minimax',
  alibaba: 'qwen',
  cohere: 'cohere',
  ai21: 'ai21',
  inception: 'inception',
  stepfun: 'stepfun',
  upstage: 'upstage',
  perplexity: 'perplexity',
  voyage: 'voyage',
};

/** Providers that serve models of others. LiteLLM keeps what they no longer serve, so they have what models.dev lists. */
const HOSTS: ReadonlySet<string> = new Set([
  ...['together', 'fireworks', 'cerebras', 'deepinfra', 'baseten', 'nebius', 'novita', 'chutes', 'friendli'],
  ...['wandb', 'cloudflare'],
]);

/** What hosts call a maker → how OpenRouter's ids spell it. */
const MAKERS: Readonly<Record<string, string>> = {
  'deepseek-ai': 'deepseek',
  'zai-org': 'z-ai',
  minimaxai: 'minimax',
  meta: 'meta-llama',
  'stepfun-ai': 'stepfun',
  xiaomimimo: 'xiaomi',
};

/** Whose prices depend on the length of a prompt, which LiteLLM says and models.dev often does not. */
const BOTH_NEEDED: ReadonlySet<string> = new Set(['alibaba']);

/** Whether a provider serves vectors in OpenAI's format. */
export function hasVectors(provider: string): boolean {
  const operations = findProviderKind(provider)?.operations;
  return typeof operations === 'object' && operations.embeddings !== undefined;
}

/** Whether an offer that LiteLLM alone has is taken. */
export function isTakenWithoutModelsDev(provider: string): boolean {
  return !HOSTS.has(provider);
}

export function isTakenWithoutLitellm(provider: string): boolean {
  return !BOTH_NEEDED.has(provider);
}

/** Of a later provider: models.dev lists other things, too, that have a price per token. */
export function isCallable({ provider, upstreamModel, serves }: PricedOffer): boolean {
  if (NO_MODEL_TO_CALL.test(upstreamModel) || upstreamModel.includes(':')) return false;
  if (serves === 'embeddings') return hasVectors(provider);
  return !Object.values(findProviderKind(provider)?.routes ?? {}).includes(noConversations);
}

/** Other purposes, names that move, and names of another place. */
const NO_MODEL_TO_CALL =
  /rerank|whisper|parakeet|-(tts|asr|ocr|mt|realtime|livetranslate|latest)\b|guard|moderation|flux|image|@0|multimodal|voyage-context/i;

/** What models.dev lists as a model that writes text. */
export function isForVectors(upstreamModel: string): boolean {
  return /embed|\bbge-|\be5-/i.test(upstreamModel);
}

function isHost(provider: string): boolean {
  return HOSTS.has(provider);
}

export function isLater(provider: string): boolean {
  return HOSTS.has(provider) || Object.hasOwn(LATER_VENDORS, provider);
}

/** In the order of `offers`, which are all of such providers. */
export function joinLater(models: readonly MergedModel[], offers: readonly PricedOffer[]): MergedModel[] {
  const joined = new Map(models.map((model) => [model.id, model]));
  const ids = new Map(models.flatMap(({ id, aliases }) => [id, ...aliases].map((name) => [name.toLowerCase(), id])));
  const byName = namesOf(models);
  for (const offer of offers) {
    const { maker, name } = makerAndName(offer);
    const listed = maker === null ? byName.get(name) : undefined;
    const wanted = listed ?? `${maker ?? offer.provider}/${name}`;
    const id = ids.get(wanted) ?? wanted;
    const model = joined.get(id);
    ids.set(wanted, id);
    if (model === undefined) joined.set(id, { id, aliases: [], offers: [offer] });
    else joined.set(id, withOffer(model, offer, models.includes(model) || model.facts !== undefined));
  }
  return [...joined.values()];
}

/** The names that one model alone has, without its maker → its id. */
function namesOf(models: readonly MergedModel[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const doubtful = new Set<string>();
  for (const { id } of models) {
    const name = id.slice(id.indexOf('/') + 1).toLowerCase();
    if (names.has(name)) doubtful.add(name);
    names.set(name, id);
  }
  for (const name of doubtful) names.delete(name);
  return names;
}

function withOffer(model: MergedModel, offer: PricedOffer, isKnown: boolean): MergedModel {
  const [first, ...rest] = model.offers;
  const offers: MergedModel['offers'] = isHost(offer.provider) ? [first, ...rest, offer] : [offer, first, ...rest];
  return { ...model, offers, ...(isKnown && { facts: model.facts ?? model.offers }) };
}

/** `Qwen/Qwen3-32B` and `@cf/qwen/qwen3-32b` → `qwen` and `qwen3-32b`. The maker is null if a host does not name it. */
function makerAndName({ provider, upstreamModel }: PricedOffer): {
  readonly maker: string | null;
  readonly name: string;
} {
  const name = upstreamModel.toLowerCase().replace(/^@cf\//, '');
  // It writes `glm-5.2` as `glm-5p2`.
  if (provider === 'fireworks')
    return { maker: null, name: name.slice(name.lastIndexOf('/') + 1).replaceAll(/(?<=\d)p(?=\d)/g, '.') };
  const slash = name.indexOf('/');
  if (slash === -1) return { maker: LATER_VENDORS[provider] ?? null, name };
  const maker = name.slice(0, slash);
  return { maker: MAKERS[maker] ?? maker, name: name.slice(slash + 1) };
}
