/** Everything in memory that is read from the database, and how another node's change of it is applied here. */
import type { OwnCredentialRegistry } from '../../byok/own-credential-registry.ts';
import type { OwnCredentialId, StoredOwnCredential } from '../../byok/ports.ts';
import type { AliasRegistry } from '../../catalog/alias-registry.ts';
import type { Alias } from '../../catalog/ports.ts';
import type { ProviderRegistry } from '../../catalog/provider-registry.ts';
import type { Clock } from '../../core/clock.ts';
import { aliasId } from '../../core/ids.ts';
import type { KeyKeeper } from '../../credentials/key-keeper.ts';
import { AccountTopicsFollower } from '../../nodes/feed/account-topics.ts';
import type { TopicFollower } from '../../nodes/feed/feed-follower.ts';
import { RefreshedTopicFollower } from '../../nodes/feed/refreshed-topic.ts';
import { RowTopicFollower } from '../../nodes/feed/row-topic.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Accounts } from '../open-accounts.ts';

export interface InMemory {
  readonly accounts: Pick<Accounts, 'mirror'>;
  readonly aliases: Pick<AliasRegistry, 'mirror'>;
  readonly own: OwnCredentialRegistry;
  readonly providers: ProviderRegistry;
  readonly keyKeeper: Pick<KeyKeeper, 'follow'>;
}

export interface NodeTopicsParts extends InMemory {
  readonly storage: Pick<Storage, 'feed' | 'accounts' | 'aliases' | 'ownCredentials'>;
  readonly clock: Clock;
  readonly onProblem: (cause: Error) => void;
  /** What could not be read was read after this long; `what` names it. */
  readonly onRead: (what: string, afterMs: number) => void;
}

/**
 * In the order in which changes are applied: first what the rows of the others belong to, which has no secrets, then the key ring, which opens
 * theirs.
 */
export function nodeTopics(parts: NodeTopicsParts): readonly TopicFollower[] {
  const { storage, clock, onProblem, onRead, accounts, aliases, own, providers, keyKeeper } = parts;
  const { feed } = storage;
  return [
    new AccountTopicsFollower({ feed, store: storage.accounts, mirror: accounts.mirror, clock, onProblem, onRead }),
    new RefreshedTopicFollower({
      topics: ['sealingKeys'],
      async refresh(isOther) {
        await keyKeeper.follow();
        await providers.refresh(isOther);
        await own.openAgain();
      },
      clock,
      onProblem,
      onRead: (afterMs) => onRead('sealing keys', afterMs),
    }),
    new RowTopicFollower<StoredOwnCredential>({
      topic: 'ownCredential',
      idOf: ({ id }) => id,
      find: (id) => storage.ownCredentials.find(id as OwnCredentialId),
      list: () => storage.ownCredentials.list(),
      forgetNumbers: () => own.forgetNumbers(),
      known: () => own.ids(),
      deliver: (id, seq, row) => feed.deliver('ownCredential', { id: id as OwnCredentialId, seq, row }),
    }),
    new RowTopicFollower<Alias>({
      topic: 'alias',
      idOf: ({ id }) => String(id),
      find: (id) => storage.aliases.find(aliasId(Number(id))),
      list: () => storage.aliases.list(),
      forgetNumbers: () => aliases.mirror.forgetNumbers(),
      known: () => aliases.mirror.all().map(({ id }) => String(id)),
      deliver: (id, seq, alias) => feed.deliver('alias', { id: aliasId(Number(id)), seq, alias }),
    }),
    new RefreshedTopicFollower({
      topics: ['provider', 'listedPrice'],
      refresh: (isOther) => providers.refresh(isOther),
      clock,
      onProblem,
      onRead: (afterMs) => onRead('providers', afterMs),
    }),
  ];
}
