/** Models, readers and aliases made up for tests of lists. */
import { LIST_PRICES } from '../../../billing/rates.ts';
import type { AliasRule } from '../../../catalog/alias.ts';
import { indexModels } from '../../../catalog/index-models.ts';
import type { Model, Prices } from '../../../catalog/model.ts';
import type { Provider } from '../../../providers/provider.ts';
import type { ListText } from './in-turns.ts';
import { ModelLists } from './model-lists.ts';
import type { AllOf, Reader } from './visible-models.ts';

/** A list as it arrives. */
export async function textOf(list: ListText | Promise<ListText>): Promise<string> {
  const text = await list;
  return typeof text === 'string' ? text : (await Array.fromAsync(text)).join('');
}

export function listsOf(
  models: readonly Model[],
  listUnpriced: boolean,
  providers: readonly Provider[] = [],
): ModelLists {
  const catalog = indexModels(models.map((model) => ({ model, aliases: [`${model.id}-alias`] })));
  return new ModelLists({ catalog, providers: new Map(providers.map((each) => [each.name, each])) }, { listUnpriced });
}

/** Charged at the list price. */
export function by(permissions: AllOf, aliases: readonly AliasRule[] = []): Reader {
  return { permissions, rates: LIST_PRICES, aliases };
}

export function alias(name: string, ...targets: readonly (readonly [model: string, weight: number])[]): AliasRule {
  return { name, choice: 'key', targets: targets.map(([model, weight]) => ({ model, provider: null, weight })) };
}

export function entry(id: string, { prices, ...fields }: Partial<Model> & { prices: Prices | null }): Model {
  const target = {
    provider: 'demo',
    upstreamModel: id,
    dialects: ['openai-chat'],
    contextWindow: 200_000,
    outputCap: 8192,
    prices,
    priceVersion: null,
  } as const;
  return {
    id,
    name: id,
    description: '',
    created: 0,
    contextWindow: 200_000,
    outputCap: 8192,
    inputModalities: ['text'],
    outputModalities: ['text'],
    supportedParameters: ['max_tokens'],
    efforts: null,
    quirks: {},
    knowledgeCutoff: null,
    targets: [target],
    ...fields,
  };
}
