/** Describes providers, kinds of providers and connection tests, in answers and in the audit log. */

import type { ListedProvider } from '../../../catalog/listed-provider.ts';
import type { Modality } from '../../../catalog/model.ts';
import type { ModelSetting } from '../../../catalog/ports.ts';
import type { ConnectionReport } from '../../../probe/test-connection.ts';
import type { ProviderDeclaration } from '../../../providers/provider.ts';
import { CREDENTIAL_SOURCES, type ProviderOptions } from '../../../providers/provider-options.ts';
import type { healthOf } from './describe-health.ts';

function describeSetting(setting: ModelSetting) {
  const { upstream, id, name, contextWindow, outputCap, price, inputModalities, outputModalities } = setting;
  return {
    upstream,
    id,
    name,
    context_length: contextWindow,
    output_cap: outputCap,
    price: price === null || price === 'free' ? price : describePrice(price),
    input_modalities: listOrNull(inputModalities),
    output_modalities: listOrNull(outputModalities),
  };
}

function listOrNull(names: readonly Modality[] | null | undefined): Modality[] | null {
  return names === null || names === undefined ? null : [...names];
}

function describePrice(price: Exclude<ModelSetting['price'], 'free' | null>) {
  const { input, output, cacheRead, cacheWrite, inputImage = null, units } = price;
  return {
    input,
    output,
    ...(cacheRead === null ? {} : { cache_read: cacheRead }),
    ...(cacheWrite === null ? {} : { cache_write: cacheWrite }),
    ...(inputImage === null ? {} : { input_image: inputImage }),
    ...(units === undefined ? {} : { units: { ...units } }),
  };
}

/** What is shown of a listed provider besides itself. */
export interface ProviderAround {
  readonly proxy: string | null;
  readonly health: ReturnType<typeof healthOf>;
  /** By the number of a credential: the end of its rest, as wall time, whether it was rejected, and for which models it was besides. */
  restOf(credential: number): {
    readonly until: string | null;
    readonly rejected: boolean;
    readonly modelsRejected: readonly string[];
  };
}

export function describeProvider(provider: ListedProvider, { proxy, health, restOf }: ProviderAround) {
  return {
    name: provider.name,
    kind: provider.kind,
    display_name: provider.displayName,
    origin: provider.origin,
    options: describeOptions(provider.options),
    calls_to: [...provider.callsTo],
    proxy,
    dialects: [...provider.dialects],
    models: provider.models,
    source: provider.source,
    is_enabled: provider.isEnabled,
    is_shadowed: provider.isShadowed,
    problem: provider.problem,
    has_credential: provider.hasCredential,
    own_credentials_only: provider.isOwnOnly,
    credential_hint: provider.credentialHint,
    credentials: provider.credentials.map(({ id, hint, createdAt }, index) => {
      const { until, rejected, modelsRejected } = restOf(index);
      return {
        id,
        hint,
        state: rejected ? ('rejected' as const) : ('ready' as const),
        rejected_for: [...modelsRejected],
        rests_until: until,
        created_at: createdAt === null ? null : new Date(createdAt).toISOString(),
      };
    }),
    created_at: provider.createdAt === null ? null : new Date(provider.createdAt).toISOString(),
    model_settings: provider.settings.map(describeSetting),
    health,
  };
}

/** The audit log hides fields named `credential`; `hint` has only its last characters. */
export function audited({
  origin,
  options,
  dialects,
  isOwnOnly,
  isEnabled,
  credentialHint,
  credentials,
  settings,
}: ListedProvider) {
  const further = credentials.filter(({ id }) => id !== null);
  return {
    origin,
    options: describeOptions(options),
    dialects,
    own_credentials_only: isOwnOnly,
    is_enabled: isEnabled,
    hint: credentialHint,
    ...(further.length === 0 ? {} : { further_hints: further.map(({ hint }) => hint) }),
    model_settings: settings.map(describeSetting),
  };
}

export function describeOptions(options: ProviderOptions): Readonly<Record<string, string>> {
  const set = Object.entries(options).filter(([, value]) => typeof value === 'string' && value !== '');
  return Object.fromEntries(set.map(([name, value]) => [snakeCase(name), value]));
}

/** `apiVersion` → `api_version`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

export function subjectOf({ name, displayName }: ListedProvider) {
  return { kind: 'provider', id: name, name: displayName };
}

export function describeKind(kind: ProviderDeclaration) {
  return {
    kind: kind.name,
    display_name: kind.displayName,
    origin: kind.origin,
    // A vendor's own service needs one; a self-hosted server may not.
    needs_credential:
      kind.environmentGives === 'credential' && (kind.origin !== null || kind.originExample !== undefined),
    origin_example: kind.originExample ?? null,
    options: Object.entries(kind.options).map(([name, facts]) => ({
      name: snakeCase(name),
      is_required: facts.isRequired && facts.mayBeInCredential !== true,
      example: facts.example,
      values: name === 'credentialFrom' ? [...CREDENTIAL_SOURCES] : null,
    })),
    documentation: kind.documentation,
    dialects: Object.keys(kind.routes),
  };
}

export function describeReport(report: ConnectionReport) {
  return {
    ok: report.ok,
    status: report.status,
    models: report.models,
    model_names: [...report.modelNames],
    duration_ms: Math.round(report.durationMs),
    problem: report.problem,
    credentials: report.credentials.map(({ hint, ok, status, durationMs, problem }) => ({
      hint,
      ok,
      status,
      duration_ms: Math.round(durationMs),
      problem,
    })),
  };
}
