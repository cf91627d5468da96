import type { Provider } from '../providers/provider.ts';
import type { Catalog } from './model.ts';

/** The providers that are called now, and the models they serve. Replaced as a whole; a call keeps the one it began with. */
export interface ServingSnapshot {
  /** By name, in the order configured; the demo last. */
  readonly providers: ReadonlyMap<string, Provider>;
  readonly catalog: Catalog;
}
