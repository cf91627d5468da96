/** From the offers of two tables to models with targets. The rules are in the header of `build-catalog.ts`. */
import { alwaysSearches } from '../../src/catalog/always-searches.ts';
import { CLOUDS } from '../../src/catalog/price-tables/cloud-names.ts';
import type { TableLines, TablePrices } from '../../src/catalog/price-tables/table-prices.ts';
import { cloudOffers, idAtCloud } from './cloud-offers.ts';
import { isCallable, isLater, isTakenWithoutLitellm, isTakenWithoutModelsDev, joinLater } from './join-later.ts';
import { agree, type Offer } from './offer.ts';
import { isWithdrawn } from './withdrawn.ts';

export type PricedOffer = Offer & { readonly prices: TablePrices };

export interface MergedModel {
  readonly id: string;
  readonly aliases: readonly string[];
  /** In order of preference. */
  readonly offers: readonly [PricedOffer, ...PricedOffer[]];
  /** Those that say what the model is; all of them if absent. */
  readonly facts?: readonly [PricedOffer, ...PricedOffer[]];
}

export interface Merge {
  readonly models: readonly MergedModel[];
  /** Where the tables disagree on what is served, for the person who builds the catalogue. */
  readonly disagreements: readonly string[];
}

/** Our provider → the vendor whose models it makes, in the spelling of OpenRouter's ids. */
const VENDORS: Readonly<Record<string, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  mistral: 'mistralai',
  deepseek: 'deepseek',
  xai: 'x-ai',
};

const RESELLER = 'openrouter';

export function mergeOffers(litellm: readonly Offer[], modelsDev: readonly Offer[]): Merge {
  const disagreements = new Map<string, string>();
  const vendorsOwn = mergeTables(litellm, modelsDev, disagreements);
  // What a vendor no longer sells still shows what the same model can do at the reseller's.
  const abilities = new Map(vendorsOwn.map((offer) => [keyOf(offer), offer.abilities]));
  const servable = vendorsOwn.filter(isServable);
  const direct = servable.filter(({ provider }) => !CLOUDS.has(provider) && !isLater(provider));
  const models = new Map<string, { aliases: string[]; offers: [PricedOffer, ...PricedOffer[]] }>();
  const join = (id: string, offer: PricedOffer) => {
    const model = models.get(id);
    if (model === undefined) models.set(id, { aliases: [], offers: [offer] });
    else model.offers.push(offer);
  };
  for (const offer of direct) if (offer.provider in VENDORS) join(directId(offer), offer);
  for (const listed of modelsDev.filter((one) => one.provider === RESELLER).filter(isServable)) {
    const offer = { ...listed, abilities: abilities.get(listed.sameAs ?? '') ?? listed.abilities };
    // A variant (`…:free`) is another offer of the same weights: other prices, other limits, a separate id.
    const named = offer.upstreamModel.includes(':') ? null : idOf(offer.sameAs);
    const id = named !== null && models.has(named) ? named : offer.upstreamModel;
    const vendors = models.get(id)?.offers[0];
    join(id, vendors === undefined ? offer : { ...offer, prices: fillFrom(offer.prices, vendors.prices) });
    if (id !== offer.upstreamModel) models.get(id)?.aliases.push(offer.upstreamModel);
  }
  for (const offer of direct) if (!(offer.provider in VENDORS)) join(directId(offer), offer);
  shareSnapshots(models);
  for (const offer of cloudOffers(servable.filter(({ provider }) => CLOUDS.has(provider)))) {
    const id = idAtCloud(offer);
    // A dated name and the undated one are the same model.
    for (const known of id === null ? [] : new Set([id, id.replace(/-\d{8}$/, '')]))
      models.get(known)?.offers.push(offer);
  }
  const isSold = (offer: Offer) => !CLOUDS.has(offer.provider) || models.has(idAtCloud(offer) ?? '');
  const served = servable.filter(isSold).flatMap((offer) => {
    const text = disagreements.get(keyOf(offer));
    return text === undefined ? [] : `${keyOf(offer)}: ${text}`;
  });
  const merged = [...models].map(([id, { aliases, offers }]) => ({ id, aliases: aliases.toSorted(), offers }));
  const all = joinLater(
    merged,
    servable.filter(({ provider }) => isLater(provider)),
  );
  return { models: all.toSorted((a, b) => (a.id < b.id ? -1 : 1)), disagreements: served };
}

function mergeTables(
  litellm: readonly Offer[],
  modelsDev: readonly Offer[],
  disagreements: Map<string, string>,
): Offer[] {
  const others = new Map(modelsDev.map((offer) => [keyOf(offer), offer]));
  const merged: Offer[] = [];
  for (const offer of litellm) {
    const other = others.get(keyOf(offer));
    others.delete(keyOf(offer));
    if (other === undefined && !isTakenWithoutModelsDev(offer.provider)) continue;
    merged.push(other === undefined ? offer : mergeOffer(offer, other, disagreements));
  }
  return [
    ...merged,
    ...[...others.values()].filter(({ provider }) => provider !== RESELLER && isTakenWithoutLitellm(provider)),
  ];
}

function mergeOffer(litellm: Offer, modelsDev: Offer, disagreements: Map<string, string>): Offer {
  return {
    ...modelsDev,
    contextWindow: modelsDev.contextWindow ?? litellm.contextWindow,
    outputCap: modelsDev.outputCap ?? litellm.outputCap,
    supportedParameters: [...new Set([...modelsDev.supportedParameters, ...litellm.supportedParameters])],
    abilities: litellm.abilities,
    prices: mergePrices(litellm, modelsDev, disagreements),
    serves: litellm.serves,
    dialects: litellm.dialects,
    ...(litellm.serves === 'embeddings' && embeddingFacts(litellm)),
    withdrawn: litellm.withdrawn || modelsDev.withdrawn,
    retires: litellm.retires,
  };
}

/** models.dev describes it as a model that writes text. */
function embeddingFacts({ inputModalities, outputModalities, outputCap, supportedParameters }: Offer): Partial<Offer> {
  return { inputModalities, outputModalities, outputCap, supportedParameters };
}

function mergePrices(
  { prices: a, ...offer }: Offer,
  { prices: b }: Offer,
  disagreements: Map<string, string>,
): TablePrices | null {
  if (a === null || b === null) return a ?? b;
  if (agree(a, b)) {
    const { tiers, ...lines } = a;
    return {
      ...dearerLines(keyOf(offer), fill(lines, b), b, disagreements),
      tiers: tiers.length > 0 ? tiers : b.tiers,
    };
  }
  const [dearer, other] = a.input + a.output >= b.input + b.output ? [a, b] : [b, a];
  disagreements.set(
    keyOf(offer),
    `${a.input}/${a.output} or ${b.input}/${b.output} pico-USD per token; took ${dearer.input}/${dearer.output}`,
  );
  return isTakenWithoutLitellm(offer.provider) ? dearer : withTiersOf(dearer, other);
}

/** The other table's steps, none of which is cheaper than the prices below it. */
function withTiersOf(prices: TablePrices, { tiers }: TablePrices): TablePrices {
  if (prices.tiers.length > 0) return prices;
  const atLeast = (price: bigint, least: bigint) => (price > least ? price : least);
  return {
    ...prices,
    tiers: tiers.map((tier) => ({
      ...tier,
      input: atLeast(tier.input, prices.input),
      output: atLeast(tier.output, prices.output),
    })),
  };
}

/** `lines`, with the dearer price in each line in which the tables differ. */
function dearerLines(
  key: string,
  lines: TableLines,
  other: TableLines,
  disagreements: Map<string, string>,
): TableLines {
  const dearer: Record<string, bigint | null> = { ...lines };
  for (const [name, price] of Object.entries(other) as [keyof TableLines, bigint | null][]) {
    const own = lines[name];
    if (name === 'input' || name === 'output' || own === null || price === null || own === price) continue;
    if (!Object.hasOwn(lines, name)) continue;
    dearer[name] = own > price ? own : price;
    disagreements.set(key, `${name}: ${own} or ${price} pico-USD per unit; took ${dearer[name]}`);
  }
  return dearer as unknown as TableLines;
}

/** Lines whose absence would bill a reseller's call too cheaply are the vendor's, if both sell at one price. */
function fillFrom(prices: TablePrices, vendors: TablePrices): TablePrices {
  if (!agree(prices, vendors)) return prices;
  const { cacheWrite1h, inputAudio, outputAudio, request } = vendors;
  return {
    ...prices,
    cacheWrite1h: prices.cacheWrite1h ?? cacheWrite1h,
    inputAudio: prices.inputAudio ?? inputAudio,
    outputAudio: prices.outputAudio ?? outputAudio,
    request: prices.request ?? request,
    tiers: prices.tiers.map((tier) => {
      const same = vendors.tiers.find(({ abovePromptTokens }) => abovePromptTokens === tier.abovePromptTokens);
      return { ...tier, ...fill(tier, { ...tier, cacheWrite1h, inputAudio, outputAudio, ...pickRates(same) }) };
    }),
  };
}

function pickRates(lines: TableLines | undefined): Partial<TableLines> {
  if (lines === undefined) return {};
  return { cacheWrite1h: lines.cacheWrite1h, inputAudio: lines.inputAudio, outputAudio: lines.outputAudio };
}

function fill(lines: TableLines, other: TableLines): TableLines {
  return {
    input: lines.input,
    output: lines.output,
    cacheRead: lines.cacheRead ?? other.cacheRead,
    cacheWrite: lines.cacheWrite ?? other.cacheWrite,
    cacheWrite1h: lines.cacheWrite1h ?? other.cacheWrite1h,
    inputAudio: lines.inputAudio ?? other.inputAudio,
    outputAudio: lines.outputAudio ?? other.outputAudio,
    cacheReadAudio: lines.cacheReadAudio ?? other.cacheReadAudio,
    inputImage: lines.inputImage ?? other.inputImage,
    outputImage: lines.outputImage ?? other.outputImage,
    reasoning: lines.reasoning ?? other.reasoning,
    request: lines.request ?? other.request,
    webSearch: lines.webSearch ?? other.webSearch,
    fileSearch: lines.fileSearch ?? other.fileSearch,
    codeInterpreter: lines.codeInterpreter ?? other.codeInterpreter,
  };
}

function isServable(offer: Offer): offer is PricedOffer {
  const { prices, outputModalities, serves, provider, upstreamModel } = offer;
  if (prices === null || offer.withdrawn || isWithdrawn(provider, upstreamModel)) return false;
  // OpenAI serves many models on its other interfaces only; models.dev does not say which.
  if (serves === 'nothing' || (serves === null && provider === 'openai')) return false;
  if (isLater(provider) && !isCallable({ ...offer, prices })) return false;
  // Research takes many searches, and no table says what it costs to have all of them in one call.
  if (offer.dialects !== null && alwaysSearches(upstreamModel)) return false;
  // An alias that moves (`~openai/gpt-latest`, `gemini-flash-latest`) has a price that moves with it.
  if (upstreamModel.startsWith('~') || MOVING.test(upstreamModel)) return false;
  // A vendor's free offers of its own models have limits that no gateway's callers would stay in.
  if (provider !== RESELLER && prices.input === 0n) return false;
  if (serves === 'embeddings') return true;
  const speaks =
    outputModalities.includes('text') && !outputModalities.includes('image') && !outputModalities.includes('video');
  return speaks && (!outputModalities.includes('audio') || prices.outputAudio !== null);
}

/**
 * A dated name of Anthropic's and its undated name are one snapshot
 * (https://docs.anthropic.com/en/docs/about-claude/models), so a reseller's offer serves both.
 */
function shareSnapshots(models: Map<string, { offers: [PricedOffer, ...PricedOffer[]] }>): void {
  for (const [id, model] of models) {
    const undated = id.startsWith('anthropic/') ? models.get(id.replace(/-\d{8}$/, '')) : undefined;
    if (undated === undefined || undated === model) continue;
    for (const offer of undated.offers) if (offer.provider === RESELLER) model.offers.push(offer);
  }
}

function directId({ provider, upstreamModel }: Offer): string {
  const vendor = VENDORS[provider];
  if (vendor !== undefined) return `${vendor}/${upstreamModel}`;
  return upstreamModel.includes('/') ? upstreamModel : `${provider}/${upstreamModel}`;
}

/** https://ai.google.dev/gemini-api/docs/models#model-versions */
const MOVING = /^gemini-[a-z-]+-latest$/;

/** `mistral/devstral-2512` → `mistralai/devstral-2512`; null for unknown vendors and those we do not call. */
function idOf(sameAs: string | null): string | null {
  const [, provider = '', name = ''] = /^([^/]+)\/(.+)$/.exec(sameAs ?? '') ?? [];
  return provider in VENDORS ? `${VENDORS[provider]}/${name}` : null;
}

function keyOf({ provider, upstreamModel }: Pick<Offer, 'provider' | 'upstreamModel'>): string {
  return `${provider}/${upstreamModel}`;
}
