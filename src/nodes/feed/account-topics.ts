/** Follows accounts, projects and keys that other nodes changed, and ends the calls that they cut. */
import type { KeyMirror } from '../../accounts/key-mirror.ts';
import { isGood, type Key } from '../../accounts/keys.ts';
import type { Account, AccountStore, AccountTopics, Project } from '../../accounts/ports.ts';
import type { Feed, FeedChange } from '../../core/feed.ts';
import { accountId, type KeyId, keyId, projectId } from '../../core/ids.ts';
import type { IsOutdated, TopicFollower } from './feed-follower.ts';

export interface AccountTopicsParts {
  readonly feed: Pick<Feed<AccountTopics>, 'deliver'>;
  readonly store: Pick<AccountStore, 'account' | 'accounts' | 'project' | 'projects' | 'keysById' | 'keys'>;
  readonly mirror: KeyMirror;
  readonly clock: { now(): number };
}

const PAGE = 200;

export class AccountTopicsFollower implements TopicFollower {
  readonly topics = ['account', 'project', 'key', 'cut'] as const;
  readonly #parts: AccountTopicsParts;

  constructor(parts: AccountTopicsParts) {
    this.#parts = parts;
  }

  async read(changes: readonly FeedChange[], isOutdated: IsOutdated): Promise<() => void> {
    const { store, feed } = this.#parts;
    const accounts: (Account | null)[] = [];
    for (const { id } of lastOf('account', changes)) accounts.push(await store.account(accountId(Number(id))));
    const projects: (Project | null)[] = [];
    for (const { id } of lastOf('project', changes)) projects.push(await store.project(projectId(Number(id))));
    const changed = lastOf('key', changes);
    const keys = new Map<KeyId, Key>();
    for (let from = 0; from < changed.length; from += PAGE) {
      const ids = changed.slice(from, from + PAGE).map(({ id }) => keyId(Number(id)));
      for (const key of await store.keysById(ids)) keys.set(key.id, key);
    }
    return () => {
      for (const account of accounts) if (account !== null) feed.deliver('account', account);
      for (const project of projects) if (project !== null) feed.deliver('project', project);
      for (const change of changed) {
        const id = keyId(Number(change.id));
        this.#applyKey(keys.get(id), id, change);
      }
      for (const { id, seq } of lastOf('cut', changes))
        if (!isOutdated('cut', id, seq)) feed.deliver('cut', keyId(Number(id)));
    };
  }

  async reload(seq: number, isOutdated: IsOutdated, isOther: boolean): Promise<void> {
    const { store, feed, mirror, clock } = this.#parts;
    if (isOther) mirror.forgetNumbers();
    const missing = new Uint8Array(mirror.idsBelow);
    for (const key of mirror.list()) if (isOther || key.revokedAt === null) missing[key.id] = 1;
    const [accounts, projects] = [await store.accounts(), await store.projects()];
    for (const account of accounts) feed.deliver('account', account);
    for (const project of projects) feed.deliver('project', project);
    for await (const key of store.keys()) {
      if (key.id < missing.length) missing[key.id] = 0;
      this.#replace(key);
    }
    for (const [id, isMissing] of missing.entries()) {
      const key = isMissing === 1 ? mirror.get(keyId(id)) : undefined;
      if (key === undefined) continue;
      if (isOther) {
        if (!isOutdated('key', String(id), seq)) this.#remove(key);
      } else this.#replace({ ...ownFields(key), revokedAt: clock.now(), seq: Math.max(seq, key.seq + 1) });
    }
    if (!isOther) return;
    const storedProjects = new Set(projects.map(({ id }) => id));
    for (const { id } of mirror.scopes.projects())
      if (!storedProjects.has(id) && !isOutdated('project', String(id), seq)) mirror.scopes.removeProject(id);
    const storedAccounts = new Set(accounts.map(({ id }) => id));
    for (const { id } of mirror.scopes.accounts())
      if (!storedAccounts.has(id) && !isOutdated('account', String(id), seq)) mirror.scopes.removeAccount(id);
  }

  /** In this state of the database, the key was never made. */
  #remove(key: Key): void {
    const { feed, mirror, clock } = this.#parts;
    const wasGood = isGood(key, clock.now());
    mirror.remove(key.id);
    if (wasGood) feed.deliver('cut', key.id);
  }

  /** A key without a row was deleted before it was ever used or shown. */
  #applyKey(row: Key | undefined, id: KeyId, { at, seq }: FeedChange): void {
    const { feed, mirror } = this.#parts;
    const known = mirror.get(id);
    if (row !== undefined) feed.deliver('key', row);
    else if (known !== undefined && known.seq < seq)
      feed.deliver('key', { ...ownFields(known), revokedAt: known.revokedAt ?? at, seq });
  }

  /** Which calls were to be cut is not known any more: all those of keys that are no longer good. */
  #replace(key: Key): void {
    const { feed, mirror, clock } = this.#parts;
    const before = mirror.get(key.id);
    if (before !== undefined && before.seq >= key.seq) return;
    const wasGood = before !== undefined && isGood(before, clock.now());
    feed.deliver('key', key);
    if (wasGood && key.revokedAt !== null) feed.deliver('cut', key.id);
  }
}

/** The last change of each thing, in order. */
export function lastOf(topic: string, changes: readonly FeedChange[]): readonly FeedChange[] {
  const last = new Map<string, FeedChange>();
  for (const change of changes) if (change.topic === topic) last.set(change.id, change);
  return [...last.values()];
}

/** A mirrored key computes some of its fields. */
function ownFields(key: Key): Key {
  return {
    ...key,
    digest: key.digest,
    updatedAt: key.updatedAt,
    restrictions: key.restrictions,
    cacheSeconds: key.cacheSeconds,
  };
}
