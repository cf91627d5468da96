/** The credential that a call uses where its provider has several: a prompt cache, and what is stored, belong to the credential's account there. */
import type { Provider } from '../providers/provider.ts';

export interface PinnedCredential {
  /** As it is called. */
  readonly service: Provider;
  /** Its number there. */
  readonly credential: number;
  /** Whether no other one will do: what the request names is kept for this one. */
  readonly isOnly: boolean;
}
