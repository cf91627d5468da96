/** Checks that need more than one field: unique names, known kinds, what a kind requires. */
import type * as z from 'zod';
import { alwaysSearches } from '../catalog/always-searches.ts';
import type { Steps } from '../core/turns/steps.ts';
import { configureProvider, ProviderConfigurationError } from '../providers/configure.ts';
import { findProviderKind, providerKinds } from '../providers/index.ts';
import { foreignKind } from './foreign-names.ts';
import { suggestion } from './nearest.ts';
import { type Path, pathText } from './options.ts';
import type { Problem } from './problem.ts';
import type { providerSchema } from './provider-schema.ts';

type ParsedProvider = z.output<typeof providerSchema>;

/** A provider as configured; `null` means as the kind declares. */
export interface ProviderConfig extends Readonly<Omit<ParsedProvider, 'kind' | 'models'>> {
  readonly kind: string;
  readonly models: readonly Readonly<ParsedProvider['models'][number]>[];
  readonly source: 'file' | 'environment';
}

/** The built-in loopback provider has no entry; the option `demo` enables it. */
const BUILT_IN = 'demo';
const CUSTOM = 'custom';

export interface Places {
  where(path: Path): string;
  /** Whether the value there contains an unset variable and cannot be checked. */
  isUnset(path: Path): boolean;
}

/** A step for each provider. */
export function* checkProviders(
  parsed: readonly ParsedProvider[],
  sources: readonly ('file' | 'environment')[],
  { where, isUnset }: Places,
  problems: Problem[],
): Steps<ProviderConfig[]> {
  const names = new Set<string>();
  const checked: ProviderConfig[] = [];
  for (const [index, entry] of parsed.entries()) {
    const kind = entry.kind ?? (findProviderKind(entry.name) === null ? CUSTOM : entry.name);
    const provider: ProviderConfig = { ...entry, kind, source: sources[index] ?? 'file' };
    const complain = (path: Path, message: string) => {
      const whole = ['providers', index, ...path];
      // A kind's complaint about a whole entry is mostly about its address.
      if (isUnset(path.length === 0 ? [...whole, 'origin'] : whole)) return;
      problems.push({ where: where(whole), message: `${pathText(whole)}: ${message}` });
    };
    if (entry.name === BUILT_IN || kind === BUILT_IN) complain(['name'], 'demo is built in; see the option demo');
    else checkKind(provider, complain);
    if (names.has(entry.name)) complain(['name'], 'an earlier provider has the same name');
    names.add(entry.name);
    checkModels(provider, complain);
    checked.push(provider);
    yield;
  }
  return checked;
}

/** Unknown kinds, also in entries with other faults, so that all are reported at once. */
export function complaintsOfKinds(entries: unknown): readonly { readonly path: Path; readonly message: string }[] {
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown, index) => {
    const kind = typeof entry === 'object' && entry !== null && 'kind' in entry ? entry.kind : null;
    if (typeof kind !== 'string' || kind === '' || findProviderKind(kind) !== null) return [];
    return [{ path: ['providers', index, 'kind'], message: noKind(kind) }];
  });
}

type Complain = (path: Path, message: string) => void;

function noKind(kind: string): string {
  const known = Object.keys(providerKinds).filter((name) => name !== BUILT_IN);
  const foreign = foreignKind(kind);
  return `is not a provider type${foreign === null ? suggestion(kind, known) : `; did you mean ${foreign}?`}`;
}

function checkKind(provider: ProviderConfig, complain: Complain): void {
  const declaration = findProviderKind(provider.kind);
  if (declaration === null) return complain(['kind'], noKind(provider.kind));
  try {
    configureProvider(declaration, provider);
  } catch (error) {
    if (!(error instanceof ProviderConfigurationError)) throw error;
    complain([], error.message);
  }
}

function checkModels(provider: ProviderConfig, complain: Complain): void {
  const seen = new Set<string>();
  for (const [position, model] of provider.models.entries()) {
    const id = model.id ?? `${provider.name}/${model.upstream}`;
    if (seen.has(id)) complain(['models', position], 'an earlier model has the same id');
    seen.add(id);
    checkSearchFee(model, (path, message) => complain(['models', position, ...path], message));
  }
}

/** The fee of a model that searches with every call is counted in no usage. */
function checkSearchFee({ upstream, prices }: ProviderConfig['models'][number], complain: Complain): void {
  if (prices === null || prices === 'free' || !alwaysSearches(upstream)) return;
  if (prices.request === null) {
    complain(['prices'], `${upstream} searches on every call: set request, the fee per call in USD (0 for none)`);
  }
  if (prices.webSearch !== null) {
    complain(
      ['prices', 'webSearch'],
      `would never be charged, because ${upstream} reports no searches; set request, the fee per call`,
    );
  }
}
