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
  /** For a self-hosted server. */
  readonly dialect: ServerDialect;
}

export interface ProviderBody {
  readonly origin?: string;
  readonly credential?: string;
  readonly dialects?: readonly ServerDialect[];
}

export function bodyOf({ kind, origin, credential, dialect }: ProviderDraft): ProviderBody {
  return {
    ...(origin.trim() === '' ? {} : { origin: origin.trim() }),
    ...(credential.trim() === '' ? {} : { credential: credential.trim() }),
    ...(speaksAny(kind) ? { dialects: [dialect] } : {}),
  };
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
