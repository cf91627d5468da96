/**
 * The lists of models, in the shapes that clients expect. A key sees only models it may use. The text of each model is written once; each
 * list is built once per distinct set of permissions and cached.
 */
import { mayUseModel, type Permissions } from '../../accounts/limits.ts';
import type { PinnedRates } from '../../billing/rates.ts';
import type { AliasRule } from '../../catalog/alias.ts';
import type { Catalog, Model } from '../../catalog/model.ts';
import { GatewayError } from '../../core/errors.ts';
import type { ModelShape } from '../../dialects/interface/model-list.ts';
import { missingProviders } from '../../routing/choose-candidates.ts';
import { unservedAs } from '../../routing/unserved-models.ts';
import { aliasModel, pricedModel } from './alias-model.ts';
import { codexModel } from './codex-model.ts';
import { filterModels, nextPage, readCount, readCursor } from './model-query.ts';
import { anthropicModel, googleModel, openAiModel, openRouterModel } from './model-shapes.ts';
import type { Query } from './query.ts';

/** The vendor whose clients read it. */
export type Shape = 'openrouter' | 'codex' | ModelShape;

export interface ModelListOptions {
  /** Whether models without a known price are listed; false with prepaid billing. */
  readonly listUnpriced?: boolean;
}

/** The permissions of a key, its project and its account: a model is visible if all allow it. */
export type AllOf = readonly Permissions[];

/** Who asks: what it may see, and at what rates it is charged. */
export interface Reader {
  readonly permissions: AllOf;
  readonly rates: PinnedRates;
  /** The aliases that its requests can use, in order of name. They come before the models. */
  readonly aliases?: readonly AliasRule[];
}

/** What of the models it sees. */
type Seeing = Pick<Reader, 'permissions' | 'aliases'>;

const NO_ALIASES: readonly AliasRule[] = [];

/** Many keys share few sets of permissions; a list of 400 models takes about 300 kB. */
const KEPT_LISTS_MAX = 32;
/** Most accounts are charged at the installation's rates; the models with their prices take about 300 kB for each other rates. */
const PRICED_MAX = 16;
const ANTHROPIC_PAGE_DEFAULT = 20;
const ANTHROPIC_PAGE_MAX = 1000;
const GOOGLE_PAGE_DEFAULT = 50;
const GOOGLE_PAGE_MAX = 1000;
const OPENROUTER_PAGE_MAX = 10_000;

/** The lists of the current catalogue of `source`, rebuilt when it changes. */
export function currentModelLists(source: { readonly catalog: Catalog }, options: ModelListOptions): () => ModelLists {
  let catalog = source.catalog;
  let lists = new ModelLists(catalog, options);
  return () => {
    if (source.catalog !== catalog) {
      catalog = source.catalog;
      lists = new ModelLists(catalog, options);
    }
    return lists;
  };
}

export class ModelLists {
  readonly #models: readonly Model[];
  readonly #listed: ReadonlySet<Model>;
  readonly #catalog: Catalog;
  readonly #texts = {
    openai: new Texts(openAiModel),
    anthropic: new Texts(anthropicModel),
    google: new Texts(googleModel),
    codex: new Texts(codexModel),
  };
  /** With prices, which differ by account. */
  readonly #priced = new Map<PinnedRates, PricedTexts>();
  readonly #kept = new Map<string, string>();
  #pricedCount = 0;

  constructor(catalog: Catalog, { listUnpriced = false }: ModelListOptions = {}) {
    this.#catalog = catalog;
    this.#models = catalog.all().filter(({ targets }) => listUnpriced || targets.some(({ prices }) => prices !== null));
    this.#listed = new Set(this.#models);
  }

  /** A page of the models. Throws `GatewayError` `invalid_value` for an invalid page. OpenAI's and Codex's lists have no pages. */
  list(shape: Shape, reader: Reader, query: Query = {}): string {
    switch (shape) {
      case 'openrouter':
        return this.#openRouter(reader, this.#pricedAt(reader.rates), query);
      case 'anthropic':
        return this.#anthropic(reader, query);
      case 'google':
        return this.#google(reader, query);
      case 'openai':
        return this.#openAi(reader);
      case 'codex':
        return this.#keep('codex', reader, () => `{"models":${this.#texts.codex.list(this.#visible(reader))}}`);
    }
  }

  /** One model, in OpenRouter's shape as `{data}`; throws `GatewayError` 404 if the key may not see it or it does not exist. */
  one(shape: Shape, { permissions, rates, aliases = NO_ALIASES }: Reader, id: string): string {
    const known = this.#catalog.get(id);
    const rule = known === undefined ? aliases.find(({ name }) => name === id) : undefined;
    const isSeen = known !== undefined && this.#isSeen(permissions, known);
    const model = isSeen ? known : rule === undefined ? null : this.#aliasModel(permissions, rule);
    if (model === null) throw this.#notFound(permissions, id);
    if (shape === 'openrouter') return `{"data":${this.#pricedAt(rates).texts.text(model)}}`;
    return this.#texts[shape].text(model);
  }

  #pricedAt(rates: PinnedRates): PricedTexts {
    const known = this.#priced.get(rates);
    if (known !== undefined) return known;
    forgetOldest(this.#priced, PRICED_MAX);
    this.#pricedCount += 1;
    const texts = new Texts((model) => openRouterModel(model, rates.rateOf(pricedModel(model).id, false)));
    const priced = { texts, shape: `openrouter ${this.#pricedCount}` };
    this.#priced.set(rates, priced);
    return priced;
  }

  #openRouter(seeing: Seeing, { texts, shape }: PricedTexts, query: Query): string {
    if (Object.keys(query).length === 0)
      return this.#keep(shape, seeing, () => this.#openRouterPage(this.#visible(seeing), texts, query));
    return this.#openRouterPage(filterModels(this.#visible(seeing), query), texts, query);
  }

  #openAi(seeing: Seeing): string {
    return this.#keep('openai', seeing, () => {
      const models = this.#visible(seeing);
      return `{"object":"list","data":${this.#texts.openai.list(models)}}`;
    });
  }

  #anthropic(seeing: Seeing, query: Query): string {
    // Anthropic's clients offer the list as models for conversations.
    const models = this.#visible(seeing).filter(({ outputModalities }) => outputModalities.includes('text'));
    const limit = readCount(query, 'limit', 1, ANTHROPIC_PAGE_MAX) ?? ANTHROPIC_PAGE_DEFAULT;
    const after = readCursor(query, 'after_id', models);
    const before = readCursor(query, 'before_id', models);
    if (after !== null && before !== null)
      throw new GatewayError('invalid_value', { message: 'Send after_id or before_id, not both.', param: 'before_id' });
    const start = before === null ? (after ?? -1) + 1 : Math.max(0, before - limit);
    const page = models.slice(start, before ?? start + limit);
    const hasMore = before === null ? start + limit < models.length : start > 0;
    const ends = `"first_id":${JSON.stringify(page[0]?.id ?? null)},"last_id":${JSON.stringify(page.at(-1)?.id ?? null)}`;
    return `{"data":${this.#texts.anthropic.list(page)},"has_more":${hasMore},${ends}}`;
  }

  /** https://ai.google.dev/api/models#method:-models.list; a page's token is where it begins. */
  #google(seeing: Seeing, query: Query): string {
    const models = this.#visible(seeing);
    // Google also takes larger sizes, and zero for its default.
    const size = readCount(query, 'pageSize', 0, Number.MAX_SAFE_INTEGER) ?? 0;
    const start = readCount({ pageToken: query['pageToken'] || undefined }, 'pageToken', 0, models.length) ?? 0;
    const end = start + (size === 0 ? GOOGLE_PAGE_DEFAULT : Math.min(size, GOOGLE_PAGE_MAX));
    const next = end < models.length ? `,"nextPageToken":"${end}"` : '';
    return `{"models":${this.#texts.google.list(models.slice(start, end))}${next}}`;
  }

  #notFound(permissions: AllOf, id: string): GatewayError {
    const missing = missingProviders(unservedAs(this.#catalog, id, (each) => mayUse(permissions, each)));
    return new GatewayError('model_not_found', {
      message: `The model ${id} does not exist${missing?.text ?? '.'}`,
      ...(missing === null ? {} : { facts: { needs: missing.variables } }),
    });
  }

  #openRouterPage(models: readonly Model[], texts: Texts, query: Query): string {
    const offset = readCount(query, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0;
    const limit = readCount(query, 'limit', 1, OPENROUTER_PAGE_MAX);
    const page = models.slice(offset, limit === null ? undefined : offset + limit);
    const next = limit !== null && offset + limit < models.length ? nextPage(query, offset + limit) : null;
    const links = `"links":{"next":${JSON.stringify(next)}}`;
    return `{"data":${texts.list(page)},"total_count":${models.length},${links}}`;
  }

  #visible({ permissions, aliases = NO_ALIASES }: Seeing): readonly Model[] {
    const models = permissions.every(allowsEvery)
      ? this.#models
      : this.#models.filter(({ id }) => mayUse(permissions, id));
    if (aliases.length === 0) return models;
    return [...aliases.map((rule) => this.#aliasModel(permissions, rule)).filter((model) => model !== null), ...models];
  }

  #aliasModel(permissions: AllOf, rule: AliasRule): Model | null {
    // An id always means its model, also if the model came after the alias.
    if (this.#catalog.get(rule.name) !== undefined) return null;
    return aliasModel(rule, this.#catalog, (model) => this.#isSeen(permissions, model));
  }

  #isSeen(permissions: AllOf, model: Model): boolean {
    return this.#listed.has(model) && mayUse(permissions, model.id);
  }

  /** Lists with aliases are not kept: these differ by project, and change without the catalogue. */
  #keep(shape: string, { permissions, aliases = NO_ALIASES }: Seeing, build: () => string): string {
    if (aliases.length > 0) return build();
    const lists = permissions.map(({ modelsAllow, modelsDeny }) => [modelsAllow ?? null, modelsDeny ?? null]);
    const key = JSON.stringify([shape, lists]);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    forgetOldest(this.#kept, KEPT_LISTS_MAX);
    const list = build();
    this.#kept.set(key, list);
    return list;
  }
}

function mayUse(permissions: AllOf, modelId: string): boolean {
  return permissions.every((each) => mayUseModel(each, modelId));
}

/** Makes room for one more. */
function forgetOldest(kept: Map<unknown, unknown>, countMax: number): void {
  const [oldest] = kept.keys();
  if (kept.size >= countMax && oldest !== undefined) kept.delete(oldest);
}

function allowsEvery({ modelsAllow, modelsDeny }: Permissions): boolean {
  return modelsAllow === undefined && modelsDeny === undefined;
}

interface PricedTexts {
  readonly texts: Texts;
  /** The name of the shape at these prices. */
  readonly shape: string;
}

/** JSON texts of models, each written when first needed, and forgotten with its model: those of aliases are made for each list. */
class Texts {
  readonly #write: (model: Model) => string;
  readonly #written = new WeakMap<Model, string>();

  constructor(write: (model: Model) => string) {
    this.#write = write;
  }

  text(model: Model): string {
    const written = this.#written.get(model) ?? this.#write(model);
    this.#written.set(model, written);
    return written;
  }

  list(models: readonly Model[]): string {
    return `[${models.map((model) => this.text(model)).join(',')}]`;
  }
}
