/** Where a provider is defined, and whether it can be changed here. */
import type { Provider } from '../../api/types.ts';

export const SOURCES: Readonly<Record<Provider['source'], { readonly short: string; readonly readOnly: string }>> = {
  file: {
    short: 'file',
    readOnly: 'Defined in the configuration file; change it there.',
  },
  environment: {
    short: 'environment',
    readOnly: 'Defined by an environment variable; change it there.',
  },
  dashboard: { short: 'database', readOnly: '' },
  'built-in': { short: 'built-in', readOnly: 'Built in, for trying Turnpike without a provider account.' },
};

/** Why it cannot be changed here; null when it can. */
export function whyReadOnly(provider: Provider): string | null {
  if (provider.is_shadowed)
    return 'The configuration file has a provider with the same name, which is used instead. This one can only be deleted.';
  return provider.source === 'dashboard' ? null : SOURCES[provider.source].readOnly;
}

/** In the URL. An overridden provider shares its name with another. */
export function placeOf({ name, is_shadowed }: Provider): string {
  return is_shadowed ? `shadowed:${name}` : name;
}
