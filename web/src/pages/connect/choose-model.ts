/** Which model the snippets begin with. */
import type { CatalogModel } from '../../api/types.ts';
import { tokenPrice } from '../../format/model-prices.ts';
import { writesText } from './model-facts.ts';
import { MODEL_FALLBACK } from './tool.ts';

export interface ModelChoice {
  readonly catalog: readonly CatalogModel[];
  /** Models of calls that were answered, the last one first. */
  readonly used: readonly string[];
  /** Whether the key may call it. */
  readonly isAllowed: (model: string) => boolean;
}

/** The one that was used last, where it can still be called; else the cheapest, a real one before the demo's. */
export function chooseModel({ catalog, used, isAllowed }: ModelChoice): string {
  const usable = catalog.filter((model) => model.is_usable && isAllowed(model.id) && writesText(model));
  const last = used.find((id) => usable.some((model) => model.id === id));
  if (last !== undefined) return last;
  const real = usable.filter((model) => !isDemo(model));
  return cheapest(real)?.id ?? cheapest(usable)?.id ?? MODEL_FALLBACK;
}

export interface Patterns {
  readonly models_allow: readonly string[] | null;
  readonly models_deny: readonly string[] | null;
}

/** As the gateway judges: within every list of what is allowed, and in none of what is denied. */
export function allowedBy(all: readonly Patterns[]): (model: string) => boolean {
  return (model) =>
    all.every(
      ({ models_allow, models_deny }) =>
        (models_allow?.some((pattern) => fits(pattern, model)) ?? true) &&
        !models_deny?.some((pattern) => fits(pattern, model)),
    );
}

function fits(pattern: string, model: string): boolean {
  return pattern.endsWith('*') ? model.startsWith(pattern.slice(0, -1)) : model === pattern;
}

function cheapest(models: readonly CatalogModel[]): CatalogModel | undefined {
  return [...models].sort((one, other) => priceOf(one) - priceOf(other) || (one.id < other.id ? -1 : 1))[0];
}

/** Of three tokens in and one out, which is what most calls are nearest to. One without a price by the token comes last. */
function priceOf({ pricing }: CatalogModel): number {
  const input = tokenPrice(pricing, 'input');
  const output = tokenPrice(pricing, 'output');
  return input === null || output === null ? Number.MAX_VALUE : 3 * input + output;
}

function isDemo(model: CatalogModel): boolean {
  return model.providers.every((provider) => provider === 'demo');
}
