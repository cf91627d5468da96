import type { Provider } from '../providers/provider.ts';
import type { Catalog } from './model.ts';

/** The providers called now, and the models they serve. It is replaced as a whole; a call keeps the one it began with. */
export interface ServingSnapshot {
  /** By name, in the order configured; the demo last. */
  readonly providers: ReadonlyMap<string, Provider>;
  readonly catalog: Catalog;
}
