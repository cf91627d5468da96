/** Handlers for the prices of models: where they are from, their versions, imports and pins. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PriceStore } from '../../../billing/ports.ts';
import type { ListedPrices } from '../../../catalog/listed-prices.ts';
import type { Model, Prices, Target } from '../../../catalog/model.ts';
import type { Purposeful } from '../../../catalog/model-purpose.ts';
import {
  inTurns,
  type PlannedChange,
  PricePlaces,
  type PriceState,
  planImport,
  rowAfter,
} from '../../../catalog/plan-import.ts';
import type { ListedPrice } from '../../../catalog/ports.ts';
import { complaintOf } from '../../../catalog/price-tables/check-prices.ts';
import { readOwnRow, type WrittenPrices, writeOwnPrices } from '../../../catalog/price-tables/own-prices.ts';
import { isOfUnitsOnly, readPinnedPrices } from '../../../catalog/price-tables/pinned-prices.ts';
import type { TableRow } from '../../../catalog/price-tables/table-row.ts';
import { hasTokenPrices } from '../../../catalog/prices.ts';
import type { ProviderRegistry } from '../../../catalog/provider-registry.ts';
import { PIN } from '../../../catalog/target-facts.ts';
import { isoTime } from '../../../core/calendar.ts';
import type { Clock } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import { priceVersionId } from '../../../core/ids.ts';
import type { modelPriceRoutes } from '../../contract/model-prices.ts';
import type { Change, Context, Handlers } from '../door/handler.ts';
import { isChargedBy } from './charged-by.ts';

export interface ModelPriceServices {
  readonly registry: Pick<ProviderRegistry, 'current' | 'listedPrices' | 'changePrices'>;
  readonly prices: Pick<PriceStore, 'history' | 'read'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Errors name at most this many rows. */
const NAMED_MAX = 10;

/** Audit entries that are written before others run: some 10 ms. */
const TURN_ENTRIES = 50;
/** Rows that are read, or changes that are described: about 2 ms. */
const TURN_ROWS = 100;

export function modelPriceHandlers(services: ModelPriceServices): Handlers<typeof modelPriceRoutes> {
  const { registry, prices, clock } = services;
  return {
    listModelPrices: async (_context, { query }) => {
      if (query.model === undefined)
        throw new GatewayError('invalid_value', { message: 'model: it is missing.', param: 'model' });
      const model = registry.current.catalog.get(query.model);
      if (model === undefined)
        throw new GatewayError('not_found', { message: 'No model has this id.', param: 'model' });
      const versions = await prices.history(model.id);
      return {
        data: model.targets.map((target) => describeTarget(services, model, target)),
        versions: versions.map((version) => ({
          id: version.id,
          provider: version.provider,
          upstream_model: version.upstreamModel,
          prices: { ...writeOwnPrices(version.prices) },
          created_at: isoTime(version.createdAt),
        })),
      };
    },

    importModelPrices: async (context, { body }) => {
      const rows = await readRows(body.prices);
      const wanted = new Set(rows.map(({ upstreamModel }) => upstreamModel));
      const planOf = async (listed: ListedPrices) => planImport(rows, await placesOf(services, listed, wanted), listed);
      let plan = await planOf(registry.listedPrices);
      const describe = async (isDone: boolean) => ({
        data: {
          changes: await describeChanges(plan.changes),
          unchanged: plan.unchanged,
          pinned: plan.pinned,
          unknown: plan.unknown,
          is_done: isDone,
        },
      });
      if (body.dry_run) return describe(false);
      if (!body.allow_suspicious) refuseSuspicious(plan.changes);
      await registry.changePrices(
        async (listed) => {
          plan = await planOf(listed);
          if (!body.allow_suspicious) refuseSuspicious(plan.changes);
          return plan.changes.map((change) => rowAfter(change, body.source, clock.now()));
        },
        auditing(context, () => plan.changes.map((change) => auditedChange('model_price.import', change))),
      );
      return describe(true);
    },

    pinModelPrices: async (context, { body }) => {
      const { provider, upstream_model: upstreamModel, pinned: isPinned } = body;
      if (body.prices !== undefined && body.version !== undefined)
        throw invalid('version', 'version: send prices or a version, not both.');
      if (body.built_in && (isPinned || body.prices !== undefined || body.version !== undefined))
        throw invalid('built_in', 'built_in: send it with `pinned` false, and without prices or a version.');
      const version = await versionOf(services, body.version);
      let change: PlannedChange | null = null;
      await registry.changePrices(
        async (listed) => {
          const places = await placesOf(services, listed, new Set([upstreamModel]));
          const before = places.of(provider, upstreamModel);
          if (before === null)
            throw new GatewayError('not_found', {
              message: `The catalogue has no model ${upstreamModel} at ${provider}.${nameThere(services, provider, upstreamModel)}`,
              param: 'upstream_model',
            });
          if (body.built_in) {
            change = unlisted(places, provider, upstreamModel, before);
            return [{ ...rowAfter(change, PIN, clock.now()), prices: null, isPinned: false } satisfies ListedPrice];
          }
          const given = body.prices === undefined ? version : readPrices(body.prices, before.prices);
          const prices = given ?? before.prices;
          if (prices === null) throw invalid('prices', 'prices: the model has no price here; send one.');
          const isOverridden = places.isOverridden(provider, upstreamModel);
          if (isPinned) refuseWithoutEffect(places, provider, upstreamModel);
          if (body.prices !== undefined && (isOfUnitsOnly(body.prices) || !hasTokenPrices(prices)))
            refuseOtherUnits(places.models(provider, upstreamModel), upstreamModel, prices);
          change = {
            provider,
            upstreamModel,
            before,
            after: { ...before, prices },
            kept: [],
            suspicion: null,
            isOverridden,
          };
          return [{ ...rowAfter(change, PIN, clock.now()), isPinned } satisfies ListedPrice];
        },
        auditing(context, () =>
          change === null ? [] : [auditedChange(isPinned ? 'model_price.pin' : 'model_price.unpin', change)],
        ),
      );
      if (change === null) throw new GatewayError('internal_error');
      return { data: describeChange(change) };
    },
  };
}

/** A hint for somebody who gave the id of a model; empty if the provider does not have it. */
function nameThere({ registry }: ModelPriceServices, provider: string, id: string): string {
  const { catalog, providers } = registry.current;
  const target = catalog
    .get(id)
    ?.targets.find(({ provider: name }) => name === provider || providers.get(name)?.kind === provider);
  return target === undefined ? '' : ` The model ${id} is named ${target.upstreamModel} there.`;
}

/** Throws `GatewayError` `conflict` if another price comes first, so that a pin would change nothing. */
function refuseWithoutEffect(places: PricePlaces, provider: string, upstreamModel: string): void {
  if (places.bringsPrices(provider, upstreamModel))
    throw new GatewayError('conflict', {
      message: `${upstreamModel} brings its own price at ${provider}, which cannot be pinned. Pin models of other providers.`,
    });
  if (places.isOverridden(provider, upstreamModel))
    throw new GatewayError('conflict', {
      message:
        `The settings of ${provider} state a price for ${upstreamModel}, which comes first, so a pin would have no effect. ` +
        `Change it there: in turnpike.yaml, or with \`turnpike providers update ${provider} --models … --price …\`, which names all its models.`,
    });
}

/** Throws `GatewayError` `invalid_value` for a unit that nothing the model is for is charged by: without a price of tokens it would not be served. */
function refuseOtherUnits(models: readonly Purposeful[], upstreamModel: string, { units }: Prices): void {
  const wrong = units.find(({ unit }) => !models.some((model) => isChargedBy(model, unit)));
  if (wrong === undefined) return;
  throw invalid(
    'prices',
    `prices: nothing that ${upstreamModel} is for is charged by ${wrong.unit}, so it would have no price. Send its prices of tokens, like --price 1.25/10.`,
  );
}

/** Back to the built-in price. */
function unlisted(places: PricePlaces, provider: string, upstreamModel: string, before: PriceState): PlannedChange {
  const after = { ...before, prices: places.builtIn(provider, upstreamModel) };
  const isOverridden = places.isOverridden(provider, upstreamModel);
  return { provider, upstreamModel, before, after, kept: [], suspicion: null, isOverridden };
}

function placesOf(
  { registry }: ModelPriceServices,
  listed: ListedPrices,
  wanted: ReadonlySet<string>,
): Promise<PricePlaces> {
  const { catalog, providers } = registry.current;
  return PricePlaces.of({ models: catalog.all(), kindOf: (name) => providers.get(name)?.kind, listed, wanted });
}

/** Throws `GatewayError` `invalid_value` that names the rows. */
async function readRows(rows: readonly unknown[]): Promise<readonly TableRow[]> {
  const faults: string[] = [];
  const read: TableRow[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % TURN_ROWS === TURN_ROWS - 1) await nextTurn();
    const place = `prices[${index}]`;
    try {
      const found = readOwnRow(row, place);
      const wrong = complaintOf(found.prices);
      if (wrong === null) read.push(found);
      else faults.push(`${place} (${found.provider} ${found.upstreamModel}) ${wrong}`);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      faults.push(`${place} ${error.message}`);
    }
  }
  if (faults.length > 0) throw invalid('prices', `${named(faults)}. Nothing was changed.`);
  return read;
}

function readPrices(written: WrittenPrices, before: Prices | null): Prices {
  try {
    const prices = readPinnedPrices(written, before);
    const wrong = complaintOf(prices);
    if (wrong === null) return prices;
    throw new RangeError(wrong);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalid('prices', `prices ${error.message}.`);
  }
}

async function versionOf({ prices }: ModelPriceServices, version: number | undefined): Promise<Prices | null> {
  if (version === undefined) return null;
  const found = await prices.read(priceVersionId(version));
  if (found === null)
    throw new GatewayError('not_found', { message: 'There is no such price version.', param: 'version' });
  return found;
}

function refuseSuspicious(changes: readonly PlannedChange[]): void {
  const suspicious = changes.filter(({ suspicion }) => suspicion !== null);
  if (suspicious.length === 0) return;
  const rows = suspicious.map(({ provider, upstreamModel, suspicion }) => `${provider} ${upstreamModel} ${suspicion}`);
  throw invalid(
    'prices',
    `${named(rows)}. Nothing was changed; if these are right, allow them (allow_suspicious, --allow-suspicious).`,
  );
}

function named(rows: readonly string[]): string {
  const more = rows.length > NAMED_MAX ? `; and ${rows.length - NAMED_MAX} more` : '';
  return `${rows.slice(0, NAMED_MAX).join('; ')}${more}`;
}

function auditing(context: Context, changes: () => readonly Change[]) {
  return {
    checkStill: () => context.checkStill(),
    note: async () => {
      for (const [at, change] of changes().entries()) {
        if (at % TURN_ENTRIES === TURN_ENTRIES - 1) await nextTurn();
        await context.audit(change);
      }
    },
  };
}

function auditedChange(action: string, change: PlannedChange): Change {
  const { provider, upstreamModel } = change;
  return {
    action,
    accountId: null,
    subject: { kind: 'model_price', id: `${provider}/${upstreamModel}`, name: upstreamModel },
    before: describeState(change.before),
    after: describeState(change.after),
  };
}

async function describeChanges(changes: readonly PlannedChange[]) {
  const described: ReturnType<typeof describeChange>[] = [];
  await inTurns(changes, TURN_ROWS, (change) => {
    described.push(describeChange(change));
  });
  return described;
}

function describeChange({ provider, upstreamModel, before, after, kept, suspicion, isOverridden }: PlannedChange) {
  return {
    provider,
    upstream_model: upstreamModel,
    before: describeState(before),
    after: describeState(after),
    kept: [...kept],
    suspicion,
    overridden: isOverridden,
  };
}

function describeState({ prices, retiresAt }: PriceState) {
  return { prices: prices === null ? null : { ...writeOwnPrices(prices) }, retires: dateOf(retiresAt) };
}

function describeTarget({ registry }: ModelPriceServices, model: Model, target: Target) {
  const { providers } = registry.current;
  const provider = providers.get(target.provider);
  const row = provider === undefined ? null : registry.listedPrices.find(provider, target.upstreamModel);
  const origin = target.priceOrigin ?? 'built-in';
  const isListed = origin === 'pinned' || origin === 'unpinned' || origin === 'imported';
  return {
    model: model.id,
    provider: target.provider,
    upstream_model: target.upstreamModel,
    prices: target.prices === null ? null : { ...writeOwnPrices(target.prices) },
    origin,
    source: isListed ? (row?.source ?? null) : null,
    changed_at: isListed && row !== null ? isoTime(row.changedAt) : null,
    price_version: target.priceVersion,
    retires: dateOf(target.retiresAt ?? null),
  };
}

function dateOf(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms).slice(0, 10);
}

function invalid(param: string, message: string): GatewayError {
  return new GatewayError('invalid_value', { message, param });
}
