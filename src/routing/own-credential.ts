/** A credential that an account or a project has stored for a provider, as routing and an attempt know it. */
import type { Provider } from '../providers/provider.ts';

export interface OwnCredential {
  /** As its owner sees it. */
  readonly id: string;
  /** The name of the configured provider that it is for. */
  readonly provider: string;
  /** Whose it is. */
  readonly scope: 'account' | 'project';
  /** The provider as this credential calls it: its origin and its signature. */
  readonly service: Provider;
}
