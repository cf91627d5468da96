/** Where a provider stands, and what that means for changing it. */
import type { Provider } from '../../api/types.ts';

export const SOURCES: Readonly<Record<Provider['source'], { readonly short: string; readonly readOnly: string }>> = {
  file: {
    short: 'file',
    readOnly: 'It stands in the configuration file and is changed there.',
  },
  environment: {
    short: 'environment',
    readOnly: 'It comes from a variable of the environment and is changed there.',
  },
  dashboard: { short: 'database', readOnly: '' },
  'built-in': { short: 'built-in', readOnly: 'It is built in, to try things out without a vendor.' },
};

/** Why it cannot be changed here; null where it can. */
export function whyReadOnly(provider: Provider): string | null {
  if (provider.is_shadowed)
    return 'The configuration has a provider of the same name, and that one is called. This one can only be deleted.';
  return provider.source === 'dashboard' ? null : SOURCES[provider.source].readOnly;
}

/** In the address. One that is shadowed has the name of another one. */
export function placeOf({ name, is_shadowed }: Provider): string {
  return is_shadowed ? `shadowed:${name}` : name;
}
