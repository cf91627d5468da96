/** The effective options as `config check` prints them: value, masked where secret, and source. */

import { Secret } from '../core/secret.ts';
import { PROVIDER_OPTIONS } from '../providers/provider-options.ts';
import type { Config } from './config.ts';
import { options, type Path } from './options.ts';
import type { Origin } from './origin.ts';
import type { ProviderConfig } from './providers.ts';

/** `source` returns where exactly this path was set; `entrySource` falls back to the entry around it. */
export function listOrigins(
  config: Config,
  source: (path: Path) => string,
  entrySource: (path: Path) => string,
): ReadonlyMap<string, Origin> {
  const origins = new Map<string, Origin>();
  for (const option of options) {
    const value = option.path.reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], config);
    origins.set(option.path.join('.'), { value: display(value), source: source(option.path) });
  }
  for (const [index, provider] of config.providers.entries()) {
    for (const [field, value] of Object.entries(describe(provider))) {
      origins.set(`providers.${provider.name}.${field}`, { value, source: entrySource(['providers', index, field]) });
    }
  }
  for (const [index, { name, choice, targets }] of config.aliases.entries()) {
    const shown = { choice, targets: targets.map(({ model, weight }) => `${model} ${weight}`).join(', ') };
    for (const [field, value] of Object.entries(shown))
      origins.set(`aliases.${name}.${field}`, { value, source: entrySource(['aliases', index, field]) });
  }
  for (const [index, { model, markup }] of config.billing.modelMarkups.entries()) {
    const path = ['billing', 'modelMarkups', index, 'model'];
    origins.set(`billing.modelMarkups.${model}`, { value: display(markup), source: entrySource(path) });
  }
  return origins;
}

/** The fields that are set; those left to the kind are not shown. */
function describe(provider: ProviderConfig): Record<string, string> {
  const shown: Record<string, string> = { kind: provider.kind };
  for (const field of [
    'origin',
    'credential',
    'credentials',
    ...PROVIDER_OPTIONS,
    'dialects',
    'price',
    'outputCapField',
    'reasoningBack',
    'reasoningSummary',
    'sampling',
  ] as const) {
    if (provider[field] !== null) shown[field] = display(provider[field]);
  }
  if (provider.models.length > 0) {
    shown['models'] = provider.models.map(({ id, upstream }) => id ?? upstream).join(', ');
  }
  return shown;
}

function display(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof Secret) return '[secret]';
  return Array.isArray(value) ? value.map(display).join(', ') : String(value);
}
