/** The models this installation can serve, and where, as an operator sees them; prices in USD per million tokens. */
import * as z from 'zod';
import { limitsInEffect } from '../billing/limits-in-effect.ts';
import type { Model, Target } from '../catalog/model.ts';
import { formatPrice, picoUsd } from '../core/money.ts';
import { type UnservedModel, unservedModels } from '../routing/unserved-models.ts';
import { parseInput } from './reply-error.ts';
import type { ControlServices } from './services.ts';

const listQuery = z.strictObject({ include_unserved: z.enum(['true', 'false']).default('false') });

/** With `include_unserved`, after them those that are known and only lack a provider: `needs` says which variables would do.
 * `serves_unpriced`: whether a model without a price is served. */
export function listModels(services: Pick<ControlServices, 'catalog' | 'bank'>, query: unknown) {
  const { include_unserved } = parseInput(listQuery, query);
  const unserved = include_unserved === 'true' ? unservedModels(services.catalog) : [];
  const data = [...services.catalog.all().map(describeModel), ...unserved.map(describeUnserved)];
  return { data, total_count: data.length, serves_unpriced: services.bank.mode !== 'prepaid' };
}

function describeModel(model: Model) {
  return {
    id: model.id,
    name: model.name,
    context_length: model.contextWindow,
    max_completion_tokens: model.outputCap,
    targets: model.targets.map(describeTarget),
    needs: [] as readonly string[],
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
  return {
    provider: target.provider,
    upstream_model: target.upstreamModel,
    dialects: target.dialects,
    context_length: limits.contextWindow,
    context_length_assumed: limits.isWindowAssumed,
    /** Null where nothing caps an answer. */
    max_completion_tokens: limits.outputCap,
    max_completion_tokens_assumed: limits.isCapAssumed,
    price_per_million: target.prices && {
      prompt: formatPrice(picoUsd(target.prices.input * 1_000_000n)),
      completion: formatPrice(picoUsd(target.prices.output * 1_000_000n)),
    },
  };
}
