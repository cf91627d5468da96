import type { Provider } from '../providers/provider.ts';
import type { Catalog } from './model.ts';

/** Who is called now, and what they serve. It is replaced as a whole; a call keeps the one it began with. */
export interface Offer {
  /** By name, in the order configured; the demo last. */
  readonly providers: ReadonlyMap<string, Provider>;
  readonly catalog: Catalog;
}
