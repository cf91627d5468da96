/**
 * Every key, in memory: a call is authenticated without asking a database, and a revoked key stops working as soon as the feed calls `put`.
 * While the mirror is not loaded, or cannot follow its source, it keeps accepting the keys it knows and fails closed for others, with 503
 * and never 401, because the key may be good. One that could not follow for too long is stale: it accepts none.
 */
import type { AccountId, KeyId, ProjectId } from '../core/ids.ts';
import { boundedPermissions } from './bounds.ts';
import { isGood, type Key, type KeyKind } from './keys.ts';
import type { Limits, Permissions } from './limits.ts';
import { OriginIndex } from './origin-index.ts';
import { boundedOrigins } from './origins.ts';
import { RecentKeys } from './recent-keys.ts';
import type { Restrictions } from './restrictions.ts';
import { FORGOTTEN, ScopeMirror } from './scope-mirror.ts';
import { DigestTable } from './secret/digest-table.ts';
import type { Pepper } from './secret/pepper.ts';

export type MirrorState = 'ready' | 'unavailable' | 'stale';

export class KeyMirror {
  /** The projects and accounts that the keys belong to. */
  readonly scopes: ScopeMirror;
  readonly #pepper: Pepper;
  readonly #seldom: SeldomAsked = {
    digests: new DigestTable(),
    updatedAt: new Map(),
    restrictions: new Map(),
    cacheSeconds: new Map(),
    origins: new Map(),
  };
  readonly #origins = new OriginIndex();
  /** By id. */
  readonly #keys: (MirroredKey | undefined)[] = [];
  readonly #recent = new RecentKeys();
  #size = 0;
  #state: MirrorState = 'unavailable';

  /** Empty and unavailable until `load` has finished. */
  constructor(pepper: Pepper, scopes: ScopeMirror = new ScopeMirror()) {
    this.#pepper = pepper;
    this.scopes = scopes;
  }

  get state(): MirrorState {
    return this.#state;
  }

  /** Number of keys, including revoked ones. */
  get size(): number {
    return this.#size;
  }

  /** Every id is below this. */
  get idsBelow(): number {
    return this.#keys.length;
  }

  /** Adds every key; the mirror is ready once the source has been read to its end. */
  async load(keys: AsyncIterable<Key>): Promise<void> {
    for await (const key of keys) this.put(key);
    this.#state = 'ready';
  }

  /** Sets whether the source of keys can be followed. */
  setState(state: MirrorState): void {
    this.#state = state;
  }

  /** The key that a secret belongs to, whatever its status. */
  find(secret: string): Key | undefined {
    const recent = this.#recent.find(secret);
    if (recent !== undefined) return recent;
    const key = this.#keys[this.#seldom.digests.find(this.#pepper.digest(secret))];
    if (key !== undefined) this.#recent.remember(secret, key);
    return key;
  }

  get(id: KeyId): Key | undefined {
    return this.#keys[id];
  }

  /** The key of a digest of 32 bytes, whatever its status. */
  findDigest(digest: Buffer): Key | undefined {
    return this.#keys[this.#seldom.digests.find(digest)];
  }

  /** In order of id. */
  *list(): IterableIterator<Key> {
    for (const key of this.#keys) if (key !== undefined) yield key;
  }

  /** In descending order of id. */
  *newestFirst(): IterableIterator<Key> {
    for (let id = this.#keys.length - 1; id > 0; id -= 1) {
      const key = this.#keys[id];
      if (key !== undefined) yield key;
    }
  }

  /** Whether a page of this origin, as its browser sends it, may use some key that is valid now. */
  allowsOrigin(origin: string, nowMs: number): boolean {
    return this.#origins.has(origin, (id) => {
      const key = this.#keys[id];
      return key !== undefined && isGood(key, nowMs) && !this.scopes.isArchived(key.projectId);
    });
  }

  /** The database went on from another state, whose numbers say nothing about these: what `put` brings next replaces each of them. */
  forgetNumbers(): void {
    for (const key of this.#keys) if (key !== undefined) key.seq = FORGOTTEN;
    this.scopes.forgetNumbers();
  }

  /** Removes a key that the database does not have and, in the state that it went on from, never had. */
  remove(id: KeyId): void {
    if (this.#keys[id] === undefined) return;
    const { updatedAt, restrictions, cacheSeconds } = this.#seldom;
    for (const fields of [updatedAt, restrictions, cacheSeconds]) fields.delete(id);
    this.#setOrigins(id, undefined);
    // Its digest stays in the table until the id is given again, and finds nothing.
    this.#keys[id] = undefined;
    this.#size -= 1;
    this.#recent.clear();
  }

  /** Adds a key, or replaces the one with the same id unless that has a later change. */
  put(key: Key): void {
    const { digests, updatedAt, restrictions, cacheSeconds } = this.#seldom;
    let before = this.#keys[key.id];
    if (before !== undefined && !digests.holds(key.id, key.digest)) {
      // A database that went back gives an id a second time.
      this.remove(key.id);
      before = undefined;
    }
    if (before !== undefined && before.seq >= key.seq) return;
    if (before === undefined) {
      digests.add(key.id, key.digest);
      this.#size += 1;
    }
    if (key.updatedAt !== null) updatedAt.set(key.id, key.updatedAt);
    if (key.restrictions === undefined) restrictions.delete(key.id);
    else restrictions.set(key.id, key.restrictions);
    if (key.cacheSeconds === undefined) cacheSeconds.delete(key.id);
    else cacheSeconds.set(key.id, key.cacheSeconds);
    // A revoked key stays in memory for ever.
    this.#setOrigins(key.id, key.revokedAt === null ? boundedOrigins(key.origins) : undefined);
    this.#keys[key.id] = new MirroredKey(key, this.#seldom, this.#pepper.id);
    this.#recent.clear();
  }

  #setOrigins(id: KeyId, after: readonly string[] | undefined): void {
    const { origins } = this.#seldom;
    const before = origins.get(id);
    if (before !== undefined) this.#origins.delete(id, before);
    if (after === undefined) return void origins.delete(id);
    origins.set(id, after);
    this.#origins.add(id, after);
  }
}

const NO_PERMISSIONS: Permissions = Object.freeze({});

/** Kept outside the keys: few keys have it, and a field on each would take more memory. Calls read only the last two. */
interface SeldomAsked {
  readonly digests: DigestTable;
  readonly updatedAt: Map<KeyId, number>;
  readonly restrictions: Map<KeyId, Restrictions>;
  readonly cacheSeconds: Map<KeyId, number>;
  readonly origins: Map<KeyId, readonly string[]>;
}

/**
 * A key whose digest stays in the table: a separate `Buffer` would be its largest part. Strings that nearly all keys share are one string
 * here; a database creates a new one for each row.
 */
class MirroredKey implements Key {
  readonly id: KeyId;
  readonly rootId: KeyId;
  readonly projectId: ProjectId;
  readonly accountId: AccountId;
  readonly name: string;
  readonly label: string;
  readonly kind: KeyKind;
  readonly pepperId: string;
  readonly disabled: boolean;
  readonly createdAt: number;
  readonly createdBy: string | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly retiringAt: number | null;
  readonly limits: Limits;
  readonly permissions: Permissions;
  seq: number;
  readonly #seldom: SeldomAsked;

  constructor(key: Key, seldom: SeldomAsked, pepperId: string) {
    this.id = key.id;
    this.rootId = key.rootId;
    this.projectId = key.projectId;
    this.accountId = key.accountId;
    this.name = key.name;
    this.label = key.label;
    this.kind = key.kind === 'inference' ? 'inference' : 'management';
    this.pepperId = key.pepperId === pepperId ? pepperId : key.pepperId;
    this.disabled = key.disabled;
    this.createdAt = key.createdAt;
    this.createdBy = key.createdBy;
    this.expiresAt = key.expiresAt;
    this.revokedAt = key.revokedAt;
    this.retiringAt = key.retiringAt;
    this.limits = key.limits;
    // The permissions of a revoked key are never read, and revoked keys stay in memory for ever.
    this.permissions = key.revokedAt === null ? boundedPermissions(key.permissions) : NO_PERMISSIONS;
    this.seq = key.seq;
    this.#seldom = seldom;
  }

  get digest(): Buffer {
    return this.#seldom.digests.digest(this.id);
  }

  get updatedAt(): number | null {
    return this.#seldom.updatedAt.get(this.id) ?? null;
  }

  get restrictions(): Restrictions | undefined {
    return this.#seldom.restrictions.get(this.id);
  }

  get cacheSeconds(): number | undefined {
    return this.#seldom.cacheSeconds.get(this.id);
  }

  get origins(): readonly string[] | undefined {
    return this.#seldom.origins.get(this.id);
  }
}
