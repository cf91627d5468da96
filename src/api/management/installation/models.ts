/** Handlers for the models that this installation can serve, for operators. */
import type { Bank } from '../../../billing/bank.ts';
import { limitsInEffect } from '../../../billing/limits-in-effect.ts';
import type { Catalog, Model, Target } from '../../../catalog/model.ts';
import { unitPriceTexts } from '../../../catalog/unit-prices.ts';
import { formatPrice, picoUsd } from '../../../core/money.ts';
import { type UnservedModel, unservedModels } from '../../../routing/unserved-models.ts';
import type { modelRoutes } from '../../contract/models.ts';
import type { Handlers } from '../door/handler.ts';

export interface ModelServices {
  readonly catalog: Pick<Catalog, 'all'>;
  readonly bank: Pick<Bank, 'mode'>;
}

/** Some 5 ms of work. */
const PAGE_MODELS = 500;

export function modelHandlers(services: ModelServices): Handlers<typeof modelRoutes> {
  return {
    listOfferedModels: (_context, { query }) => {
      const { catalog, bank } = services;
      const unserved = query.include_unserved === 'true' ? unservedModels(catalog) : [];
      const all = [...catalog.all(), ...unserved];
      const start = Number(query.cursor ?? 0);
      const end = start + PAGE_MODELS;
      return {
        data: all.slice(start, end).map((each) => ('providers' in each ? describeUnserved(each) : describeModel(each))),
        next_cursor: end < all.length ? String(end) : null,
        total_count: all.length,
        serves_unpriced: bank.mode !== 'prepaid',
      };
    },
  };
}

function describeModel(model: Model) {
  return {
    id: model.id,
    name: model.name,
    context_length: model.contextWindow,
    max_completion_tokens: model.outputCap,
    targets: model.targets.map(describeTarget),
    needs: [] as string[],
  };
}

function describeUnserved({ model, providers }: UnservedModel): ReturnType<typeof describeModel> {
  const [first] = model.targets;
  return {
    id: model.id,
    name: model.name,
    context_length: first?.contextWindow ?? null,
    max_completion_tokens: first?.outputCap ?? null,
    targets: [],
    needs: providers.map(({ variable }) => variable),
  };
}

function describeTarget(target: Target) {
  const limits = limitsInEffect(target);
  const units = unitPriceTexts(target.prices?.units ?? []);
  return {
    provider: target.provider,
    upstream_model: target.upstreamModel,
    dialects: [...target.dialects],
    context_length: limits.contextWindow,
    context_length_assumed: limits.isWindowAssumed,
    /** Null if answers have no limit. */
    max_completion_tokens: limits.outputCap,
    max_completion_tokens_assumed: limits.isCapAssumed,
    price_origin: target.priceOrigin ?? 'built-in',
    retires: target.retiresAt === undefined ? null : new Date(target.retiresAt).toISOString().slice(0, 10),
    price_per_million: target.prices && {
      prompt: formatPrice(picoUsd(target.prices.input * 1_000_000n)),
      completion: formatPrice(picoUsd(target.prices.output * 1_000_000n)),
    },
    ...(units !== null && { units }),
  };
}
