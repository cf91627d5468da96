/** The models this installation can serve, and where, as an operator sees them; prices in USD per million tokens. */
import type { Model, Target } from '../catalog/model.ts';
import { formatPrice, picoUsd } from '../core/money.ts';
import type { ControlServices } from './services.ts';

export function listModels(services: Pick<ControlServices, 'catalog'>) {
  const models = services.catalog.all();
  return { data: models.map(describeModel), total_count: models.length };
}

function describeModel(model: Model) {
  return {
    id: model.id,
    name: model.name,
    context_length: model.contextWindow,
    max_completion_tokens: model.outputCap,
    targets: model.targets.map(describeTarget),
  };
}

function describeTarget(target: Target) {
  return {
    provider: target.provider,
    upstream_model: target.upstreamModel,
    dialects: target.dialects,
    price_per_million: target.prices && {
      prompt: formatPrice(picoUsd(target.prices.input * 1_000_000n)),
      completion: formatPrice(picoUsd(target.prices.output * 1_000_000n)),
    },
  };
}
