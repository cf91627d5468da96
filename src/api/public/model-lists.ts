/**
 * The lists of models, in the shapes that clients expect. A key sees only models it may use. The text of each model is written once; each
 * list is built once per distinct set of permissions and cached.
 */
import { mayUseModel, type Permissions } from '../../accounts/limits.ts';
import type { PinnedRates } from '../../billing/rates.ts';
import type { Catalog, Model } from '../../catalog/model.ts';
import { GatewayError } from '../../core/errors.ts';
import type { ModelShape } from '../../dialects/interface/model-list.ts';
import { missingProviders } from '../../routing/choose-candidates.ts';
import { unservedAs } from '../../routing/unserved-models.ts';
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
}

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
  }

  /** A page of the models. Throws `GatewayError` `invalid_value` for an invalid page. OpenAI's and Codex's lists have no pages. */
  list(shape: Shape, { permissions, rates }: Reader, query: Query = {}): string {
    switch (shape) {
      case 'openrouter':
        return this.#openRouter(permissions, this.#pricedAt(rates), query);
      case 'anthropic':
        return this.#anthropic(permissions, query);
      case 'google':
        return this.#google(permissions, query);
      case 'openai':
        return this.#openAi(permissions);
      case 'codex':
        return this.#keep(
          'codex',
          permissions,
          () => `{"models":${this.#texts.codex.list(this.#visible(permissions))}}`,
        );
    }
  }

  /** One model, in OpenRouter's shape as `{data}`; throws `GatewayError` 404 if the key may not see it or it does not exist. */
  one(shape: Shape, { permissions, rates }: Reader, id: string): string {
    const model = this.#catalog.get(id);
    if (model === undefined || !this.#models.includes(model) || !mayUse(permissions, model.id))
      throw this.#notFound(permissions, id);
    if (shape === 'openrouter') return `{"data":${this.#pricedAt(rates).texts.text(model)}}`;
    return this.#texts[shape].text(model);
  }

  #pricedAt(rates: PinnedRates): PricedTexts {
    const known = this.#priced.get(rates);
    if (known !== undefined) return known;
    forgetOldest(this.#priced, PRICED_MAX);
    this.#pricedCount += 1;
    const texts = new Texts((model) => openRouterModel(model, rates.rateOf(model.id, false)));
    const priced = { texts, shape: `openrouter ${this.#pricedCount}` };
    this.#priced.set(rates, priced);
    return priced;
  }

  #openRouter(permissions: AllOf, { texts, shape }: PricedTexts, query: Query): string {
    if (Object.keys(query).length === 0)
      return this.#keep(shape, permissions, () => this.#openRouterPage(this.#visible(permissions), texts, query));
    return this.#openRouterPage(filterModels(this.#visible(permissions), query), texts, query);
  }

  #openAi(permissions: AllOf): string {
    return this.#keep('openai', permissions, () => {
      const models = this.#visible(permissions);
      return `{"object":"list","data":${this.#texts.openai.list(models)}}`;
    });
  }

  #anthropic(permissions: AllOf, query: Query): string {
    // Anthropic's clients offer the list as models for conversations.
    const models = this.#visible(permissions).filter(({ outputModalities }) => outputModalities.includes('text'));
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
  #google(permissions: AllOf, query: Query): string {
    const models = this.#visible(permissions);
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

  #visible(permissions: AllOf): readonly Model[] {
    if (permissions.every(allowsEvery)) return this.#models;
    return this.#models.filter(({ id }) => mayUse(permissions, id));
  }

  #keep(shape: string, permissions: AllOf, build: () => string): string {
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

/** JSON texts of models, each written when first needed. */
class Texts {
  readonly #write: (model: Model) => string;
  readonly #written = new Map<Model, string>();

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
