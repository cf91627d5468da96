/**
 * The names by which a caller may mean a provider: its own, its kind's, and OpenRouter's for that kind, so that a request written for
 * OpenRouter means the same here. https://openrouter.ai/docs/features/provider-routing
 */
import { foldProvider } from '../core/routing/route-preferences.ts';
import { findProviderKind } from '../providers/index.ts';
import type { Provider } from '../providers/provider.ts';

/** OpenRouter's slugs that are neither the name nor the display name of a kind here. */
const SLUGS: Readonly<Record<string, readonly string[]>> = {
  google: ['google-ai-studio'],
  vertex: ['google-vertex'],
  bedrock: ['amazon-bedrock'],
};

const known = new WeakMap<Provider, ReadonlySet<string>>();

/** Whether one of `names`, which are folded, is the provider's. */
export function isNamed(provider: Provider, names: readonly string[]): boolean {
  return rankOf(provider, names) < names.length;
}

/** The position of the first of `names` that is the provider's; their number if none is. */
export function rankOf(provider: Provider, names: readonly string[]): number {
  const own = namesOf(provider);
  const found = names.findIndex((name) => own.has(name));
  return found === -1 ? names.length : found;
}

/** Whether it may be one that is named: `google-vertex/us-east5` is at least Google Vertex. */
export function mayBeNamed(provider: Provider, names: readonly string[]): boolean {
  const own = namesOf(provider);
  return names.some((name) => own.has(name) || own.has(name.slice(0, Math.max(0, name.indexOf('/')))));
}

function namesOf(provider: Provider): ReadonlySet<string> {
  let names = known.get(provider);
  if (names === undefined) {
    const { name, kind } = provider;
    const display = findProviderKind(kind)?.displayName ?? name;
    names = new Set([name, kind, display, ...(SLUGS[kind] ?? [])].map(foldProvider));
    known.set(provider, names);
  }
  return names;
}
