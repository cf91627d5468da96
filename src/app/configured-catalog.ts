/** The models that the providers of a configuration serve, and the demo's, for commands without a server. Writes nothing and calls no provider. */
import type { FixedProvider } from '../catalog/listed-provider.ts';
import type { Catalog } from '../catalog/model.ts';
import { openCatalog } from '../catalog/open-catalog.ts';
import type { Config } from '../config/config.ts';
import { priceVersionId } from '../core/ids.ts';
import { demoModels } from '../demo/demo-models.ts';
import { fixedProvider } from './open-providers.ts';

export interface ConfiguredCatalog {
  readonly catalog: Catalog;
  readonly providers: readonly FixedProvider[];
}

export async function configuredCatalog(config: Pick<Config, 'demo' | 'providers'>): Promise<ConfiguredCatalog> {
  const providers = config.providers.map((entry) => fixedProvider(entry));
  const catalog = await openCatalog({
    providers: providers.map(({ provider }) => provider),
    configuredModels: providers.flatMap(({ models }) => models),
    wholeModels: config.demo ? demoModels : [],
    pin: (targets) => Promise.resolve(targets.map(() => UNPINNED)),
  });
  return { catalog, providers };
}

/** Nothing is stored here. */
const UNPINNED = priceVersionId(0);
