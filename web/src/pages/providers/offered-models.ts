/** Models that a test found at a provider and that are not served yet. */
import type { Provider } from '../../api/types.ts';

type ModelSetting = Provider['model_settings'][number];

/** Models of a provider in the catalogue are known already: nothing is suggested. */
export function offeredModels(provider: Provider, found: readonly string[]): readonly string[] {
  if (provider.models > provider.model_settings.length) return [];
  const taken = new Set(provider.model_settings.map(({ upstream }) => upstream));
  return found.filter((name) => !taken.has(name));
}

/** For a self-hosted model: requests cost nothing. */
export function freeModel(upstream: string): ModelSetting {
  const open = { id: null, name: null, context_length: null, output_cap: null };
  return { upstream, ...open, price: 'free', input_modalities: null, output_modalities: null };
}
