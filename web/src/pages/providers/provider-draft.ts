/** The state of the form for a new provider, and the request it produces. */
import type { Answer } from '../../api/client.ts';
import type { ServerDialect } from '../../api/dialects.ts';

export type Kind = Answer<'listProviderKinds'>['data'][number];

export interface ProviderDraft {
  readonly kind: Kind;
  readonly name: string;
  /** Empty for the default of the kind. */
  readonly origin: string;
  readonly credential: string;
  /** Only called with own credentials of accounts and projects. */
  readonly isOwnOnly: boolean;
  /** By name, what an entry of the kind says besides; absent or empty for none. */
  readonly options: Readonly<Record<string, string>>;
  /** For a self-hosted server. */
  readonly dialect: ServerDialect;
}

export interface ProviderBody {
  readonly origin?: string;
  readonly credential?: string;
  readonly own_credentials_only?: true;
  readonly region?: string;
  readonly project?: string;
  readonly location?: string;
  readonly api_version?: string;
  readonly account_id?: string;
  readonly credential_from?: 'container' | 'instance';
  readonly dialects?: readonly ServerDialect[];
}

export function bodyOf({ kind, origin, credential, isOwnOnly, options, dialect }: ProviderDraft): ProviderBody {
  return {
    ...optionsOf(kind, options),
    ...(origin.trim() === '' ? {} : { origin: origin.trim() }),
    ...(isOwnOnly ? { own_credentials_only: true } : credential.trim() === '' ? {} : { credential: credential.trim() }),
    ...(speaksAny(kind) ? { dialects: [dialect] } : {}),
  };
}

/** Those of the kind that are filled in. */
export function optionsOf(kind: Pick<Kind, 'options'>, values: Readonly<Record<string, string>>): ProviderBody {
  return Object.fromEntries(
    kind.options.flatMap(({ name }) => {
      const value = values[name]?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
}

/** The options that differ; null for one that was emptied. */
export function changesOf(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Readonly<Record<string, string | null>> {
  const names = Object.keys({ ...before, ...after });
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = after[name]?.trim() ?? '';
      return text === (before[name] ?? '') ? [] : [[name, text === '' ? null : text]];
    }),
  );
}

/** Whether keys are fetched instead of entered. */
export function fetchesKeys({ options }: Pick<ProviderDraft, 'options'>): boolean {
  return (options['credential_from'] ?? '') !== '';
}

/** Whether the API format has to be chosen. */
export function speaksAny(kind: Kind): boolean {
  return kind.kind === 'custom';
}

/** `openai`, `openai-2`. */
export function freeName(kind: string, taken: readonly string[]): string {
  if (!taken.includes(kind)) return kind;
  let number = 2;
  while (taken.includes(`${kind}-${number}`)) number += 1;
  return `${kind}-${number}`;
}
