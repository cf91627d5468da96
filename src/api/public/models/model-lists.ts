/**
 * The lists of models, in the shapes that clients expect. A key sees only models it may use. A short list is built once per distinct set of
 * permissions and cached; a long one is written once more, a part in each turn.
 */
import type { PinnedRates } from '../../../billing/rates.ts';
import type { Catalog, Model } from '../../../catalog/model.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { ModelShape } from '../../../dialects/interface/model-list.ts';
import type { Provider } from '../../../providers/provider.ts';
import { missingProviders } from '../../../routing/choose-candidates.ts';
import { unservedAs } from '../../../routing/unserved-models.ts';
import type { Query } from '../query.ts';
import { pricedModel } from './alias-model.ts';
import { codexModel } from './codex-model.ts';
import { filterInTurns, type ListText, writeList } from './in-turns.ts';
import { type FilterFacts, readFilter } from './model-filters.ts';
import { readOrder } from './model-order.ts';
import { anthropicModel, googleModel, openAiModel, openRouterModel } from './model-shapes.ts';
import { nextPage, readCount, readCursor } from './page-query.ts';
import { type AllOf, forgetOldest, keyOf, mayUse, type Reader, type Seeing, VisibleModels } from './visible-models.ts';

/** The vendor whose clients read it. */
export type Shape = 'openrouter' | 'codex' | ModelShape;

export interface ModelListOptions {
  /** Whether models without a known price are listed; false with prepaid billing. */
  readonly listUnpriced?: boolean;
}

/** What is served now. */
export interface Served {
  readonly catalog: Catalog;
  readonly providers: ReadonlyMap<string, Provider>;
}

/** Many keys share few sets of permissions; each of these lists has at most 500 entries, about 400 kB. */
const KEPT_LISTS_MAX = 32;
/** Models that are compared with the filters of a request before others run. */
const FILTERED_PER_TURN = 500;
const ANTHROPIC_PAGE_DEFAULT = 20;
const ANTHROPIC_PAGE_MAX = 1000;
const GOOGLE_PAGE_DEFAULT = 50;
const GOOGLE_PAGE_MAX = 1000;
const OPENROUTER_PAGE_MAX = 10_000;

/** The lists of what `source` serves now. */
export function currentModelLists(source: Served, options: ModelListOptions): () => ModelLists {
  let { catalog } = source;
  let lists = new ModelLists(source, options);
  return () => {
    if (source.catalog !== catalog) {
      ({ catalog } = source);
      lists = new ModelLists(source, options);
    }
    return lists;
  };
}

export class ModelLists {
  readonly visible: VisibleModels;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly #catalog: Catalog;
  readonly #facts: FilterFacts;
  readonly #kept = new Map<string, string>();
  /** Accounts with the same rates share their lists. */
  readonly #rates = new WeakMap<PinnedRates, number>();
  #rateCount = 0;

  constructor({ catalog, providers }: Served, { listUnpriced = false }: ModelListOptions = {}) {
    this.#catalog = catalog;
    this.providers = providers;
    this.visible = new VisibleModels(catalog, listUnpriced);
    this.#facts = { catalog, providers };
  }

  /**
   * A page of the models. Rejects with `GatewayError` `invalid_value` for an invalid page or filter. OpenAI's and Codex's lists have no pages.
   */
  async list(shape: Shape, reader: Reader, query: Query = {}): Promise<ListText> {
    switch (shape) {
      case 'openrouter':
        return this.#openRouter(reader, query);
      case 'anthropic':
        return this.#anthropic(reader, query);
      case 'google':
        return this.#google(reader, query);
      case 'openai':
        return this.#keep(shape, reader, (models) => writeList('{"object":"list","data":', models, openAiModel, '}'));
      case 'codex':
        return this.#keep(shape, reader, (models) => writeList('{"models":', models, codexModel, '}'));
    }
  }

  /** How many models the filters of OpenRouter's list leave, as `{data: {count}}`. Rejects like `list`. */
  async count(reader: Reader, query: Query): Promise<string> {
    return JSON.stringify({ data: { count: (await this.#filtered(reader, query)).length } });
  }

  /** One model, in OpenRouter's shape as `{data}`; throws `GatewayError` 404 if the key may not see it or it does not exist. */
  one(shape: Shape, reader: Reader, id: string): string {
    const model = this.visible.find(reader, id);
    if (model === null) throw this.notFound(reader.permissions, id);
    switch (shape) {
      case 'openrouter':
        return `{"data":${openRouterAt(reader.rates)(model)}}`;
      case 'anthropic':
        return anthropicModel(model);
      case 'google':
        return googleModel(model);
      case 'openai':
        return openAiModel(model);
      case 'codex':
        return codexModel(model);
    }
  }

  /** The error for a model that does not exist, or that the key may not see. */
  notFound(permissions: AllOf, id: string): GatewayError {
    const missing = missingProviders(unservedAs(this.#catalog, id, (each) => mayUse(permissions, each)));
    return new GatewayError('model_not_found', {
      message: `The model ${id} does not exist${missing?.text ?? '.'}`,
      ...(missing === null ? {} : { facts: { needs: missing.variables } }),
    });
  }

  async #openRouter(reader: Reader, query: Query): Promise<ListText> {
    const write = openRouterAt(reader.rates);
    const page = (models: readonly Model[]) => openRouterPage(models, write, query);
    if (Object.keys(query).length > 0) return page(await this.#filtered(reader, query));
    return this.#keep(`openrouter ${this.#numberOf(reader.rates)}`, reader, page);
  }

  /** The models that match every filter of OpenRouter's list, in the order that is asked for. */
  async #filtered(reader: Reader, query: Query): Promise<readonly Model[]> {
    const accepts = readFilter(query, this.#facts, reader.rates);
    const order = readOrder(query, reader.rates);
    const visible = await this.visible.of(reader);
    const models = accepts === null ? visible : await filterInTurns(visible, accepts, FILTERED_PER_TURN);
    return order === null ? models : order(models);
  }

  async #anthropic(reader: Reader, query: Query): Promise<ListText> {
    // Anthropic's clients offer the list as models for conversations.
    const models = (await this.visible.of(reader)).filter(({ outputModalities }) => outputModalities.includes('text'));
    const limit = readCount(query, 'limit', 1, ANTHROPIC_PAGE_MAX) ?? ANTHROPIC_PAGE_DEFAULT;
    const after = readCursor(query, 'after_id', models);
    const before = readCursor(query, 'before_id', models);
    if (after !== null && before !== null)
      throw new GatewayError('invalid_value', { message: 'Send after_id or before_id, not both.', param: 'before_id' });
    const start = before === null ? (after ?? -1) + 1 : Math.max(0, before - limit);
    const page = models.slice(start, before ?? start + limit);
    const hasMore = before === null ? start + limit < models.length : start > 0;
    const ends = `"first_id":${JSON.stringify(page[0]?.id ?? null)},"last_id":${JSON.stringify(page.at(-1)?.id ?? null)}`;
    return writeList('{"data":', page, anthropicModel, `,"has_more":${hasMore},${ends}}`);
  }

  /** https://ai.google.dev/api/models#method:-models.list; a page's token is where it begins. */
  async #google(reader: Reader, query: Query): Promise<ListText> {
    const models = await this.visible.of(reader);
    // Google also takes larger sizes, and zero for its default.
    const size = readCount(query, 'pageSize', 0, Number.MAX_SAFE_INTEGER) ?? 0;
    const start = readCount({ pageToken: query['pageToken'] || undefined }, 'pageToken', 0, models.length) ?? 0;
    const end = start + (size === 0 ? GOOGLE_PAGE_DEFAULT : Math.min(size, GOOGLE_PAGE_MAX));
    const next = end < models.length ? `,"nextPageToken":"${end}"` : '';
    return writeList('{"models":', models.slice(start, end), googleModel, `${next}}`);
  }

  /** Lists with aliases are not kept: these differ by project, and change without the catalogue. */
  async #keep(shape: string, seeing: Seeing, build: (models: readonly Model[]) => ListText): Promise<ListText> {
    if (seeing.aliases !== undefined && seeing.aliases.length > 0) return build(await this.visible.of(seeing));
    const key = `${shape} ${keyOf(seeing.permissions)}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const list = build(await this.visible.of(seeing));
    if (typeof list !== 'string') return list;
    forgetOldest(this.#kept, KEPT_LISTS_MAX);
    this.#kept.set(key, list);
    return list;
  }

  #numberOf(rates: PinnedRates): number {
    let number = this.#rates.get(rates);
    if (number === undefined) {
      this.#rateCount += 1;
      number = this.#rateCount;
      this.#rates.set(rates, number);
    }
    return number;
  }
}

function openRouterAt(rates: PinnedRates): (model: Model) => string {
  const ofBatches = rates.ofBatches ?? rates;
  return (model) => {
    const { id } = pricedModel(model);
    return openRouterModel(model, rates.rateOf(id, false), ofBatches.rateOf(id, false));
  };
}

function openRouterPage(models: readonly Model[], write: (model: Model) => string, query: Query): ListText {
  const offset = readCount(query, 'offset', 0, Number.MAX_SAFE_INTEGER) ?? 0;
  const limit = readCount(query, 'limit', 1, OPENROUTER_PAGE_MAX);
  const page = models.slice(offset, limit === null ? undefined : offset + limit);
  const next = limit !== null && offset + limit < models.length ? nextPage(query, offset + limit) : null;
  return writeList(
    '{"data":',
    page,
    write,
    `,"total_count":${models.length},"links":{"next":${JSON.stringify(next)}}}`,
  );
}
