/** The providers that serve models which a key may use, as OpenRouter lists them: https://openrouter.ai/docs/api/api-reference/providers/list-providers */
import type { Model } from '../../../catalog/model.ts';
import type { Provider } from '../../../providers/provider.ts';
import { policyPagesOf } from './policy-pages.ts';

/** `{data}`, in the order configured. `models`: those that the key may use. */
export function listProviders(providers: ReadonlyMap<string, Provider>, models: readonly Model[]): string {
  const serving = servingProviders(models, providers.size);
  return JSON.stringify({ data: [...providers.values()].filter(({ name }) => serving.has(name)).map(describe) });
}

/** `countMax`: as many providers there are; no more models are read once all are found. */
function servingProviders(models: readonly Model[], countMax: number): ReadonlySet<string> {
  const serving = new Set<string>();
  for (const { targets } of models) {
    for (const { provider } of targets) serving.add(provider);
    if (serving.size === countMax) break;
  }
  return serving;
}

function describe(provider: Provider): object {
  const { privacy, terms, status } = policyPagesOf(provider);
  return {
    name: provider.displayName,
    slug: provider.name,
    privacy_policy_url: privacy,
    terms_of_service_url: terms,
    status_page_url: status,
  };
}
