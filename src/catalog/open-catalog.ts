/**
 * Builds the catalogue: the known models that a configured provider serves, and the models that the configuration adds. Every
 * price is pinned to a stored version, so that a call's record always shows its prices.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { assert } from '../core/assert.ts';
import type { PriceVersionId } from '../core/ids.ts';
import type { Quantization } from '../core/routing/quantization.ts';
import type { DeclaredQuirks, ProviderDialectName } from '../dialects/index.ts';
import type { SamplingField } from '../dialects/interface/write-target.ts';
import { overlaidQuirks, quirksOfModel } from '../dialects/quirks.ts';
import type { Provider } from '../providers/provider.ts';
import { ByPlace } from './by-place.ts';
import { indexInTurns } from './index-models.ts';
import { KnownIndex } from './known-index.ts';
import { type ListedPrices, NO_LISTED_PRICES, pricesOf } from './listed-prices.ts';
import type { Catalog, Efforts, Modality, Model, PricedTarget, Prices, Target } from './model.ts';
import { type KnownModel, type KnownTarget, knownModels } from './models.ts';
import { pinPrices } from './pin-prices.ts';
import { FREE, readKnownPrices, withoutToolFees } from './prices.ts';
import { originOf, pricedAs, retirement } from './target-facts.ts';

/** A model in the configuration: a new one, another target of a known one, or other prices for a known target. */
export interface ConfiguredModel {
  /** Name of a configured provider. */
  readonly provider: string;
  /** What the provider calls it. */
  readonly upstream: string;
  /**
   * A known model's id may be in any spelling. Null: every model that this provider is known to serve under that name, else
   * `<provider>/<upstream>`.
   */
  readonly id: string | null;
  readonly name: string | null;
  readonly contextWindow: number | null;
  readonly outputCap: number | null;
  /** Null: as known; otherwise free if the provider is free by default; otherwise unknown. */
  readonly prices: Prices | 'free' | null;
  /** The parameters it supports, in OpenRouter's vocabulary. Null, here and below: as known; otherwise unknown. */
  readonly parameters: readonly string[] | null;
  /** The only formats in which it is served. Null: as known; otherwise as its provider says. */
  readonly dialects?: readonly ProviderDialectName[] | null;
  /** In the order of `EFFORTS`. */
  readonly efforts: Efforts | null;
  /** Configured by the operator, by dialect; they override the known ones. */
  readonly quirks: DeclaredQuirks;
  /** The sampling fields it is sent while its parameters are unknown. Null: as its provider says. */
  readonly sampling?: readonly SamplingField[] | null;
  /** How exactly it is kept there. Null: as its provider says. */
  readonly quantization?: Quantization | null;
  /** What it reads and writes. Null: as known; otherwise text. */
  readonly inputModalities?: readonly Modality[] | null;
  readonly outputModalities?: readonly Modality[] | null;
}

export interface CatalogSources {
  readonly providers: readonly Provider[];
  readonly configuredModels: readonly ConfiguredModel[];
  /** Complete models, such as the demo's. Their prices are pinned like the others'. */
  readonly wholeModels?: readonly Model[];
  /**
   * When a provider was configured, in Unix seconds: the creation time of models that only the configuration has. 0 when
   * absent.
   */
  readonly configuredAt?: (provider: string) => number;
  /** Prices that were imported or pinned; none when absent. */
  readonly listed?: ListedPrices;
  /** Pins all prices at once; returns the ids of their versions, in the same order. */
  readonly pin: (targets: readonly PricedTarget[]) => Promise<readonly PriceVersionId[]>;
  /** The known models; the built-in list except in tests. */
  readonly known?: readonly KnownModel[];
}

/** Models that are read before others run: a millisecond or two. */
const TURN_MODELS = 200;

/** Rejects only if the prices cannot be pinned, or a configured model names an unknown provider. Works in turns of the event loop. */
export async function openCatalog(sources: CatalogSources): Promise<Catalog> {
  const known = sources.known ?? knownModels();
  const listed = sources.listed ?? NO_LISTED_PRICES;
  const drafts: Drafts = { byId: new Map(), byPlace: new ByPlace() };
  const kinds = Map.groupBy(sources.providers, ({ kind }) => kind);
  await inTurns(known, (model) => addKnown(drafts, model, kinds, listed));
  const facts: Facts = {
    known: KnownIndex.of(known),
    providers: new Map(sources.providers.map((provider) => [provider.name, provider])),
    listed,
  };
  await inTurns(sources.configuredModels, (configured) => addConfigured(drafts, configured, facts));
  const wholes = (sources.wholeModels ?? []).map((model) => ({
    model: { ...model, targets: model.targets.map((target) => ({ ...target })) },
    aliases: [],
  }));
  const made = [...drafts.byId.values()];
  await pinPrices([...made, ...wholes.map(({ model }) => model)], sources.pin);
  const configuredAt = sources.configuredAt ?? never;
  return indexInTurns([...made.map((draft) => finish(draft, configuredAt)), ...wholes]);
}

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => void): Promise<void> {
  for (let at = 0; at < items.length; at += TURN_MODELS) {
    if (at > 0) await nextTurn();
    for (const item of items.slice(at, at + TURN_MODELS)) work(item);
  }
}

interface Drafts {
  readonly byId: Map<string, Draft>;
  /** By the provider of a target, and the model's name there. */
  readonly byPlace: ByPlace<Draft>;
}

type DraftTarget = { -readonly [Field in keyof Target]: Target[Field] };

interface Draft {
  readonly id: string;
  name: string;
  readonly aliases: readonly string[];
  readonly known: KnownModel | null;
  readonly targets: DraftTarget[];
  parameters: readonly string[] | null;
  /** Whether they are from the configuration. */
  listsAllParameters: boolean;
  efforts: Efforts | null;
  quirks: DeclaredQuirks;
  sampling: readonly SamplingField[] | null;
  inputModalities: readonly Modality[];
  outputModalities: readonly Modality[];
  /** Whether that is only assumed. */
  assumesOutput: boolean;
  /** How many of `targets`, at the beginning, are from the configuration. */
  ownTargets: number;
}

function addKnown(
  drafts: Drafts,
  model: KnownModel,
  kinds: ReadonlyMap<string, readonly Provider[]>,
  listed: ListedPrices,
): void {
  const targets: DraftTarget[] = [];
  for (const target of model.targets) {
    const names = model.targets.flatMap(({ provider: kind, upstreamModel }) =>
      kind === target.provider ? upstreamModel : [],
    );
    // Two providers of one kind (two accounts at a vendor) serve the same models, in the order configured.
    for (const provider of kinds.get(target.provider) ?? []) {
      if (!provider.offers(target.upstreamModel, names)) continue;
      targets.push({
        provider: provider.name,
        upstreamModel: target.upstreamModel,
        dialects: dialectsOf(provider, target.upstreamModel, target.dialects),
        ...toolsOf(provider),
        contextWindow: target.contextWindow,
        outputCap: target.outputCap,
        ...retirement(listed.find(provider, target.upstreamModel), target),
        ...originOf(listed.find(provider, target.upstreamModel), 'built-in'),
        ...pricedAs(
          target.upstreamModel,
          pricesOf(listed, provider, target.upstreamModel, () =>
            readKnownPrices(target.prices, provider.surchargePercent(target.upstreamModel)),
          ),
        ),
        priceVersion: null,
      });
    }
  }
  if (targets.length === 0) return;
  const draft = knownDraft(model, targets);
  drafts.byId.set(model.id, draft);
  for (const { provider, upstreamModel } of targets) drafts.byPlace.add(provider, upstreamModel, draft);
}

function knownDraft(model: KnownModel, targets: DraftTarget[]): Draft {
  return {
    id: model.id,
    name: model.name,
    aliases: model.aliases ?? [],
    known: model,
    targets,
    parameters: model.supportedParameters,
    listsAllParameters: false,
    efforts: model.efforts ?? null,
    quirks: model.quirks ?? {},
    sampling: null,
    inputModalities: model.inputModalities,
    outputModalities: model.outputModalities,
    assumesOutput: false,
    ownTargets: 0,
  };
}

interface Facts {
  readonly known: KnownIndex;
  /** By name. */
  readonly providers: ReadonlyMap<string, Provider>;
  readonly listed: ListedPrices;
}

function addConfigured(drafts: Drafts, configured: ConfiguredModel, { known: index, providers, listed }: Facts): void {
  const provider = providers.get(configured.provider);
  assert(
    provider !== undefined,
    `the model ${configured.upstream} refers to the provider ${configured.provider}, which is not configured`,
  );
  if (configured.id === null) {
    const served = drafts.byPlace.find(configured.provider, configured.upstream);
    for (const draft of served) configure(drafts, draft, configured, provider, listed);
    if (served.length > 0) return;
    // A name that is known there and not offered unasked, such as a profile of another geography.
    const named = index.named(provider.kind, configured.upstream);
    for (const known of named)
      configure(drafts, draftOf(drafts, known.id, known, configured), configured, provider, listed);
    if (named.length > 0) return;
  }
  const asked = configured.id ?? `${configured.provider}/${configured.upstream}`;
  // Another spelling of a known id is still the known model.
  const known = configured.id === null ? null : index.find(asked);
  configure(drafts, draftOf(drafts, known?.id ?? asked, known, configured), configured, provider, listed);
}

function draftOf({ byId }: Drafts, id: string, known: KnownModel | null, configured: ConfiguredModel): Draft {
  const draft = byId.get(id) ?? (known === null ? unknownDraft(id, configured) : knownDraft(known, []));
  byId.set(id, draft);
  return draft;
}

function unknownDraft(id: string, { upstream }: ConfiguredModel): Draft {
  return {
    id,
    name: upstream,
    aliases: [],
    known: null,
    targets: [],
    parameters: null,
    listsAllParameters: false,
    efforts: null,
    quirks: quirksOfModel(upstream),
    sampling: null,
    inputModalities: TEXT_ONLY,
    outputModalities: TEXT_ONLY,
    assumesOutput: true,
    ownTargets: 0,
  };
}

/** Every model reads and writes text. */
const TEXT_ONLY: readonly Modality[] = ['text'];

function configure(
  { byPlace }: Drafts,
  draft: Draft,
  configured: ConfiguredModel,
  provider: Provider,
  listed: ListedPrices,
): void {
  draft.name = configured.name ?? draft.name;
  draft.parameters = configured.parameters ?? draft.parameters;
  draft.listsAllParameters ||= configured.parameters !== null;
  draft.efforts = configured.efforts ?? draft.efforts;
  draft.quirks = overlaidQuirks(draft.quirks, configured.quirks);
  draft.sampling = configured.sampling ?? draft.sampling;
  draft.inputModalities = configured.inputModalities ?? draft.inputModalities;
  draft.outputModalities = configured.outputModalities ?? draft.outputModalities;
  if (configured.outputModalities != null) draft.assumesOutput = false;
  const known = findTarget(draft, configured);
  if (known !== undefined) {
    known.contextWindow = configured.contextWindow ?? known.contextWindow;
    known.outputCap = configured.outputCap ?? known.outputCap;
    known.dialects = dialectsOf(provider, configured.upstream, configured.dialects ?? known.dialects);
    known.prices = pricedAs(configured.upstream, configuredPrices(configured, known.prices)).prices;
    if (configured.prices !== null) known.priceOrigin = 'configured';
    if (configured.quantization != null) known.quantization = configured.quantization;
    return;
  }
  const facts = draft.known === null ? null : factsAbout(draft.known, configured, provider);
  byPlace.add(provider.name, configured.upstream, draft);
  // A configured target is meant to be used, so it comes before the known ones.
  draft.targets.splice(draft.ownTargets, 0, {
    provider: provider.name,
    upstreamModel: configured.upstream,
    dialects: dialectsOf(provider, configured.upstream, configured.dialects ?? facts?.dialects),
    ...toolsOf(provider),
    ...(configured.quantization != null && { quantization: configured.quantization }),
    contextWindow: configured.contextWindow ?? facts?.contextWindow ?? null,
    outputCap: configured.outputCap ?? facts?.outputCap ?? null,
    ...retirement(listed.find(provider, configured.upstream), facts),
    ...(configured.prices === null
      ? originOf(listed.find(provider, configured.upstream), facts === null ? 'unknown' : 'built-in')
      : { priceOrigin: 'configured' }),
    ...pricedAs(
      configured.upstream,
      configuredPrices(
        configured,
        pricesOf(listed, provider, configured.upstream, () => defaultPrices(facts, configured, provider)),
      ),
    ),
    priceVersion: null,
  });
  draft.ownTargets += 1;
}

/**
 * The facts of the same model at the same kind of provider, under the name whose price applies there; otherwise at another one under the
 * same name, otherwise at its vendor, which comes first.
 */
function factsAbout({ targets }: KnownModel, { upstream }: ConfiguredModel, provider: Provider): KnownTarget | null {
  const alike = targets.filter((target) => target.provider === provider.kind);
  const names = alike.map(({ upstreamModel }) => upstreamModel);
  const priced = provider.pricedAs(upstream, names);
  return (
    alike.find(({ upstreamModel }) => upstreamModel === priced) ??
    targets.find(({ upstreamModel }) => upstreamModel === upstream) ??
    targets[0] ??
    null
  );
}

/** Those of the provider's formats in which the model is served. Where it speaks none of them, it has the model in its own way. */
function dialectsOf(
  provider: Provider,
  upstream: string,
  only: readonly ProviderDialectName[] | undefined,
): readonly ProviderDialectName[] {
  const spoken = provider.dialectsOf(upstream);
  const served = only === undefined ? spoken : provider.dialects.filter((dialect) => only.includes(dialect));
  return served.length === 0 ? spoken : served;
}

/**
 * A known price is never replaced by free; without one, the provider decides. The fee of a tool is that of the service which runs it, so it is
 * not taken over from another one: a search at Azure is billed by Bing.
 * https://learn.microsoft.com/en-us/azure/ai-foundry/openai/how-to/web-search
 */
function defaultPrices(facts: KnownTarget | null, { upstream }: ConfiguredModel, provider: Provider): Prices | null {
  if (facts !== null) {
    const prices = readKnownPrices(facts.prices, provider.surchargePercent(upstream));
    return facts.provider === provider.kind ? prices : withoutToolFees(prices);
  }
  return provider.freeByDefault ? FREE : null;
}

function findTarget(draft: Draft, { provider, upstream }: ConfiguredModel): DraftTarget | undefined {
  return draft.targets.find((target) => target.provider === provider && target.upstreamModel === upstream);
}

function configuredPrices({ prices }: ConfiguredModel, otherwise: Prices | null): Prices | null {
  return prices === 'free' ? FREE : (prices ?? otherwise);
}

function never(): number {
  return 0;
}

function finish(
  draft: Draft,
  configuredAt: (provider: string) => number,
): { model: Model; aliases: readonly string[] } {
  const { id, name, aliases, known, targets, parameters, efforts, quirks, sampling } = draft;
  const model: Model = {
    id,
    name,
    description: '',
    created: known?.created ?? (targets[0] === undefined ? 0 : configuredAt(targets[0].provider)),
    contextWindow: targets[0]?.contextWindow ?? null,
    outputCap: targets[0]?.outputCap ?? null,
    inputModalities: draft.inputModalities,
    outputModalities: draft.outputModalities,
    ...(draft.assumesOutput && { assumesOutput: true }),
    supportedParameters: parameters ?? [],
    ...(draft.listsAllParameters && { listsAllParameters: true }),
    ...(sampling !== null && { sampling }),
    efforts,
    quirks,
    knowledgeCutoff: known?.knowledgeCutoff ?? null,
    targets,
  };
  return { model, aliases };
}

function toolsOf({ serverTools, ignoresToolLimit }: Provider): Pick<Target, 'serverTools' | 'ignoresToolLimit'> {
  return { ...(serverTools !== null && { serverTools }), ...(ignoresToolLimit && { ignoresToolLimit }) };
}
