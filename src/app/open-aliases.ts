/** Opens the aliases of the configuration and the database: their mirror in memory, and the registry that changes them. */
import { AliasMirror } from '../catalog/alias-mirror.ts';
import { AliasRegistry } from '../catalog/alias-registry.ts';
import type { ProviderRegistry } from '../catalog/provider-registry.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Storage } from '../storage/storage.ts';

export interface OpenAliasesParts {
  readonly providers: Pick<ProviderRegistry, 'current'>;
  readonly clock: Pick<Clock, 'now'>;
}

export async function openAliases(
  config: Pick<Config, 'aliases'>,
  { aliases: store, transactions, feed }: Pick<Storage, 'aliases' | 'transactions' | 'feed'>,
  { providers, clock }: OpenAliasesParts,
): Promise<AliasRegistry> {
  const mirror = new AliasMirror(config.aliases);
  feed.subscribe('alias', (news) => mirror.follow(news));
  await mirror.load(store);
  return new AliasRegistry({ store, transactions, mirror, clock, catalog: () => providers.current.catalog });
}
