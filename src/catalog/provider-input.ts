import type { Secret } from '../core/secret.ts';
import type { ProviderDialectName } from '../dialects/index.ts';
import type { ProviderOptions } from '../providers/provider-options.ts';
import type { ModelSetting } from './ports.ts';

/** What an operator may set for a provider; null: as the kind declares. */
export interface ProviderInput {
  readonly origin: string | null;
  /** Options of its kind. */
  readonly options: ProviderOptions;
  readonly credential: Secret | null;
  readonly dialects: readonly ProviderDialectName[] | null;
  /** Whether it is only called with own credentials of accounts and projects; false if absent. */
  readonly ownCredentialsOnly?: boolean;
  readonly enabled: boolean;
  readonly models: readonly ModelSetting[];
}
