/**
 * Follows accounts, projects and keys that other nodes changed, and ends the calls that they cut. A row that cannot be read must not hold up
 * the others, such as a revocation: what it stands for is refused until it is corrected.
 */
import type { KeyMirror } from '../../accounts/key-mirror.ts';
import { isGood, type Key } from '../../accounts/keys.ts';
import type { Account, AccountStore, AccountTopics, Project } from '../../accounts/ports.ts';
import { FORGOTTEN } from '../../accounts/scope-mirror.ts';
import type { Clock } from '../../core/clock.ts';
import { type Feed, type FeedChange, UnreadableRow } from '../../core/feed.ts';
import { accountId, type KeyId, keyId, projectId } from '../../core/ids.ts';
import { Outage } from '../../core/trouble/outage.ts';
import type { IsOutdated, TopicFollower } from './feed-follower.ts';
import { inSlices } from './in-slices.ts';

export interface AccountTopicsParts {
  readonly feed: Pick<Feed<AccountTopics>, 'deliver'>;
  readonly store: Pick<AccountStore, 'account' | 'accounts' | 'project' | 'projects' | 'keysById' | 'keys'>;
  readonly mirror: KeyMirror;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** A row cannot be read, or is another key's: called once until it is corrected. Must not throw. */
  readonly onProblem: (cause: Error) => void;
  /** A row of which that was said is good again, after this long, or is gone. Must not throw. */
  readonly onRead: (row: string, afterMs: number) => void;
}

const PAGE = 200;

export class AccountTopicsFollower implements TopicFollower {
  readonly topics = ['account', 'project', 'key', 'cut'] as const;
  readonly #parts: AccountTopicsParts;
  /** Accounts and projects are being read: some may be missing in memory that keys and projects belong to. */
  #isIncomplete = false;
  /** By row, such as `key 7`. */
  readonly #refused = new Map<string, Outage>();

  constructor(parts: AccountTopicsParts) {
    this.#parts = parts;
  }

  async read(changes: readonly FeedChange[], isOutdated: IsOutdated): Promise<() => void> {
    const { store, feed, mirror } = this.#parts;
    const { scopes } = mirror;
    const accounts: (Account | null)[] = [];
    for (const change of lastOf('account', changes)) {
      const id = accountId(Number(change.id));
      accounts.push(
        await this.#readable(`account ${id}`, () => store.account(id), closed(scopes.findAccount(id), change)),
      );
    }
    const projects: (Project | null)[] = [];
    for (const change of lastOf('project', changes)) {
      const id = projectId(Number(change.id));
      projects.push(
        await this.#readable(`project ${id}`, () => store.project(id), closed(scopes.findProject(id), change)),
      );
    }
    const changed = lastOf('key', changes);
    const keys = new Map<KeyId, Key>();
    for (let from = 0; from < changed.length; from += PAGE)
      for (const key of await this.#keysOf(changed.slice(from, from + PAGE))) keys.set(key.id, key);
    return () => {
      for (const account of accounts) if (account !== null) feed.deliver('account', account);
      for (const project of projects)
        if (project !== null && this.#isPlaced(scopes.findAccount(project.accountId))) feed.deliver('project', project);
      for (const change of changed) {
        const id = keyId(Number(change.id));
        this.#applyKey(keys.get(id), id, change);
      }
      for (const { id, seq } of lastOf('cut', changes))
        if (!isOutdated('cut', id, seq)) feed.deliver('cut', keyId(Number(id)));
    };
  }

  forgetNumbers(): void {
    this.#parts.mirror.forgetNumbers();
  }

  async reload(seq: number, isOutdated: IsOutdated, isOther: boolean): Promise<void> {
    const { store, mirror, clock } = this.#parts;
    const missing = new Uint8Array(mirror.idsBelow);
    for (const key of mirror.list()) if (isOther || key.revokedAt === null) missing[key.id] = 1;
    const { accounts, projects } = await this.#reloadScopes();
    for await (const key of store.keys()) {
      if (key.id < missing.length) missing[key.id] = 0;
      this.#replace(key);
    }
    await inSlices(this.#marked(missing), (key) => {
      if (!isOther) this.#replace({ ...ownFields(key), revokedAt: clock.now(), seq: Math.max(seq, key.seq + 1) });
      else if (!isOutdated('key', String(key.id), seq)) this.#remove(key);
    });
    if (!isOther) return;
    const storedProjects = new Set(projects.map(({ id }) => id));
    await inSlices(mirror.scopes.projects(), ({ id }) => {
      if (!storedProjects.has(id) && !isOutdated('project', String(id), seq)) mirror.scopes.removeProject(id);
    });
    const storedAccounts = new Set(accounts.map(({ id }) => id));
    await inSlices(mirror.scopes.accounts(), ({ id }) => {
      if (!storedAccounts.has(id) && !isOutdated('account', String(id), seq)) mirror.scopes.removeAccount(id);
    });
  }

  /** What a row that was read belongs to is read before it, and what is changed between the turns has a higher number and stays. */
  async #reloadScopes(): Promise<{ readonly accounts: readonly Account[]; readonly projects: readonly Project[] }> {
    const { store, feed } = this.#parts;
    this.#isIncomplete = true;
    try {
      const accounts = await store.accounts();
      await inSlices(accounts, (account) => feed.deliver('account', account));
      const projects = await store.projects();
      await inSlices(projects, (project) => feed.deliver('project', project));
      return { accounts, projects };
    } finally {
      this.#isIncomplete = false;
    }
  }

  /** Whether memory has what a changed row belongs to. If not, the row is read once memory has it: with everything, a moment later. */
  #isPlaced(owner: Account | Project | undefined): boolean {
    return owner !== undefined || !this.#isIncomplete;
  }

  /** The keys in memory whose ids are marked, each as it is when its turn comes. */
  *#marked(marks: Uint8Array): IterableIterator<Key> {
    for (const [id, isMarked] of marks.entries()) {
      const key = isMarked === 1 ? this.#parts.mirror.get(keyId(id)) : undefined;
      if (key !== undefined) yield key;
    }
  }

  /** In this state of the database, the key was never made. */
  #remove(key: Key): void {
    const { feed, mirror, clock } = this.#parts;
    const wasGood = isGood(key, clock.now());
    mirror.remove(key.id);
    if (wasGood) feed.deliver('cut', key.id);
  }

  async #keysOf(changes: readonly FeedChange[]): Promise<readonly Key[]> {
    const { store, mirror } = this.#parts;
    const ids = changes.map(({ id }) => keyId(Number(id)));
    try {
      const found = await store.keysById(ids);
      for (const id of ids) this.#good(`key ${id}`);
      return found;
    } catch (error) {
      if (!(error instanceof UnreadableRow)) throw error;
    }
    const keys: Key[] = [];
    for (const [index, id] of ids.entries()) {
      const known = mirror.get(id);
      const { seq } = changes[index] as FeedChange;
      const disabled = known === undefined ? null : { ...ownFields(known), disabled: true, seq };
      const read = async () => (await store.keysById([id]))[0] ?? null;
      const key = await this.#readable(`key ${id}`, read, disabled);
      if (key !== null) keys.push(key);
    }
    return keys;
  }

  /** What is read, or `otherwise` if that cannot be. */
  async #readable<Thing>(
    row: string,
    read: () => Promise<Thing | null>,
    otherwise: Thing | null,
  ): Promise<Thing | null> {
    try {
      const thing = await read();
      this.#good(row);
      return thing;
    } catch (error) {
      if (!(error instanceof UnreadableRow)) throw error;
      this.#refuse(row, error);
      return otherwise;
    }
  }

  #refuse(row: string, cause: Error): void {
    const outage = this.#refused.get(row) ?? new Outage(this.#parts.clock);
    this.#refused.set(row, outage);
    if (outage.failed()) this.#parts.onProblem(cause);
  }

  #good(row: string): void {
    if (this.#refused.size === 0) return;
    const afterMs = this.#refused.get(row)?.worked() ?? null;
    if (afterMs === null) return;
    this.#refused.delete(row);
    this.#parts.onRead(row, afterMs);
  }

  /** A key without a row was deleted before it was ever used or shown. */
  #applyKey(row: Key | undefined, id: KeyId, { at, seq }: FeedChange): void {
    const { feed, mirror } = this.#parts;
    const known = mirror.get(id);
    if (row !== undefined) {
      if (this.#isPlaced(mirror.scopes.findProject(row.projectId))) this.#deliverKey(row, known);
    } else if (known !== undefined && known.seq < seq)
      feed.deliver('key', { ...ownFields(known), revokedAt: known.revokedAt ?? at, seq });
  }

  /** The secret of a key never changes: a row with another one is not this key any more. In another state, its id may be another key's. */
  #deliverKey(key: Key, known: Key | undefined): void {
    const { feed } = this.#parts;
    const row = `digest of key ${key.id}`;
    if (known === undefined || known.seq === FORGOTTEN || known.digest.equals(key.digest)) {
      this.#good(row);
      return feed.deliver('key', key);
    }
    this.#refuse(row, new Error(`The digest of key ${key.id} in the database was changed; it is refused.`));
    feed.deliver('key', { ...ownFields(known), disabled: true, seq: key.seq });
  }

  /** Which calls were to be cut is not known any more: all those of keys that are no longer good. */
  #replace(key: Key): void {
    const { feed, mirror, clock } = this.#parts;
    const before = mirror.get(key.id);
    if (before !== undefined && before.seq >= key.seq) return;
    const wasGood = before !== undefined && isGood(before, clock.now());
    this.#deliverKey(key, before);
    if (wasGood && key.revokedAt !== null) feed.deliver('cut', key.id);
  }
}

/** As it is in memory, and refused. */
function closed<Thing extends Account | Project>(known: Thing | undefined, { seq }: FeedChange): Thing | null {
  return known === undefined ? null : { ...known, isUnreadable: true, seq };
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
    origins: key.origins,
  };
}
