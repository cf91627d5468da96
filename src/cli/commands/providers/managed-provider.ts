/** A provider of the management API, as commands read it. */
import type { GivenModel } from './provider-prices.ts';
import { PROVIDERS_PATH } from './provider-row.ts';

export interface ManagedProvider {
  readonly name: string;
  readonly kind: string;
  readonly display_name: string;
  readonly origin: string;
  readonly calls_to: readonly string[];
  readonly models: number;
  readonly is_enabled: boolean;
  readonly model_settings: readonly GivenModel[];
}

export function pathOf(name: string): string {
  return `${PROVIDERS_PATH}/${encodeURIComponent(name)}`;
}
