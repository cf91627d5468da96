/** A credential that an account or a project has stored for a kind of provider, as routing and an attempt know it. */
import type { Provider } from '../providers/provider.ts';

export interface OwnCredential {
  /** As its owner sees it. */
  readonly id: string;
  /** For messages to its owner. */
  readonly name: string;
  /** Whose it is. */
  readonly scope: 'account' | 'project';
  /** Whether the operator's credentials may serve a call that this one could serve. */
  readonly fallback: boolean;
  /** Whether its policy excludes the operator's credentials. */
  readonly isOnly: boolean;
  /** The provider as this credential calls it: its origin and its signature. */
  readonly service: Provider;
}
