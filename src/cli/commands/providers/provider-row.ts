/** A provider and its test in answers of the management API, and as commands print them. */
import { type HealthRow, troubleText } from './provider-health.ts';

export const PROVIDERS_PATH = '/control/api/providers';

export interface ProviderRow {
  readonly name: string;
  readonly kind: string;
  readonly display_name: string;
  readonly origin: string;
  /** The URL of a call in each of `dialects`. */
  readonly calls_to: readonly string[];
  /** Null for a direct connection. */
  readonly proxy: string | null;
  readonly dialects: readonly string[];
  readonly models: number;
  readonly source: string;
  readonly is_enabled: boolean;
  readonly own_credentials_only: boolean;
  readonly problem: string | null;
  readonly health: HealthRow | null;
  /** In the order of their numbers; without their text. */
  readonly credentials: readonly CredentialRow[];
}

export interface CredentialRow {
  readonly id: string | null;
  /** Its last four characters. */
  readonly hint: string | null;
  readonly state: 'ready' | 'rejected';
  /** Models that it is rejected for, besides. */
  readonly rejected_for: readonly string[];
  readonly rests_until: string | null;
}

export interface ConnectionRow {
  readonly ok: boolean;
  readonly status: number | null;
  readonly models: number | null;
  readonly duration_ms: number;
  readonly problem: string | null;
  /** Of each credential, in the order of their numbers. */
  readonly credentials: readonly TestedCredentialRow[];
}

export interface TestedCredentialRow {
  readonly hint: string | null;
  readonly ok: boolean;
  readonly status: number | null;
  readonly duration_ms: number;
  readonly problem: string | null;
}

export function providerRow(provider: ProviderRow): Omit<ProviderRow, 'credentials'> {
  return {
    name: provider.name,
    kind: provider.kind,
    display_name: provider.display_name,
    origin: provider.origin,
    calls_to: provider.calls_to,
    proxy: provider.proxy,
    dialects: provider.dialects,
    models: provider.models,
    source: provider.source,
    is_enabled: provider.is_enabled,
    own_credentials_only: provider.own_credentials_only,
    problem: provider.problem,
    health: provider.health,
  };
}

/** The URL of a call in the preferred format. */
export function addressOf({ calls_to: [address], origin }: Pick<ProviderRow, 'calls_to' | 'origin'>): string {
  return address ?? origin;
}

/** Whether its connection can be tested: not without a credential of the operator's. */
export function isTestable(provider: ProviderRow): boolean {
  return isCalled(provider) && !provider.own_credentials_only;
}

/** Whether calls may be sent to it. */
export function isCalled({ is_enabled, problem }: ProviderRow): boolean {
  return is_enabled && problem === null;
}

export function stateOf({
  is_enabled,
  problem,
  health,
  credentials,
  own_credentials_only: isOwnOnly,
}: ProviderRow): string {
  if (problem !== null) return problem;
  if (!is_enabled) return 'disabled';
  return (
    replacedText(health, credentials) ??
    troubleText(health) ??
    (health?.state === 'good' ? 'good' : isOwnOnly ? 'only with own credentials' : 'enabled')
  );
}

/** In words; `models` is only of a whole provider. */
export function connectionText(
  result: Omit<TestedCredentialRow, 'hint' | 'ok'> & { readonly models?: number | null },
): string {
  if (result.problem !== null) return result.problem;
  const { models = null } = result;
  return `${models === null ? 'answers' : `${models} models`}, ${result.duration_ms} ms`;
}

/** If what was refused was one of several credentials, and another is ready: the failures say nothing about the next call. */
function replacedText(health: HealthRow | null, credentials: readonly CredentialRow[]): string | null {
  if (troubleText(health) === null || health?.last_failure?.code !== 'upstream_credential_rejected') return null;
  const rejected = credentials.filter(({ state, rejected_for: models }) => state === 'rejected' || models.length > 0);
  if (rejected.length === 0 || rejected.length === credentials.length) return null;
  return `${rejected.length} of ${credentials.length} credentials rejected; calls use the others`;
}
