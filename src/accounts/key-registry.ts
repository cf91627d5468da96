/**
 * Creates, changes, rotates and revokes keys, each in one transaction that reads the current rows. Memory follows the feed on commit, so a
 * revocation applies in this process before `revoke` resolves; one that could not be stored has no effect.
 */
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { AccountId, KeyId, ProjectId } from '../core/ids.ts';
import type { Secret } from '../core/secret.ts';
import type { Transactions } from '../core/transactions.ts';
import { isUsable } from './authenticate.ts';
import { checkKeyCount, checkListsLength, checkSuccessorCount, growthOf, KEYS_MAX } from './bounds.ts';
import { checkNotArchived, checkOpen } from './check-open.ts';
import { cannotRotate, checkGrace } from './check-rotation.ts';
import { type Ending, endKeys, type NoteKey } from './end-keys.ts';
import { followingPredecessors, isRetiring, predecessorsIn, withUpdate } from './key-chain.ts';
import type { KeyMirror } from './key-mirror.ts';
import { isGood, type Key, type KeyKind, keyStatus } from './keys.ts';
import type { Limits, Permissions } from './limits.ts';
import { permissionsLength } from './limits.ts';
import type { Makers } from './made-by.ts';
import { withinRestrictionsOf } from './new-key-restrictions.ts';
import type { AccountStore, Changed, ChangesOf, KeyChanges, NewKey, Project } from './ports.ts';
import { type Level, liftedBy, type Restrictions, restrict } from './restrictions.ts';
import type { ScopeMirror } from './scope-mirror.ts';
import { digestOf, labelOf, newSecret } from './secret/key-secret.ts';
import type { Pepper } from './secret/pepper.ts';
import { withStoredLists } from './stored-keys.ts';

export interface KeyRequest {
  readonly projectId: ProjectId;
  /** Null gives it the name `Key <n>`. */
  readonly name: string | null;
  readonly kind?: KeyKind;
  readonly createdBy?: string | null;
  /** Wall time in ms, or null for never. */
  readonly expiresAt?: number | null;
  readonly limits?: Limits;
  readonly permissions?: Permissions;
  readonly restrictions?: Restrictions | undefined;
  /** For how many seconds the answers to its calls are kept for equal requests; absent if only those that ask for it. */
  readonly cacheSeconds?: number | undefined;
  /** The pages that may use it, as `parseOrigins` returns them; absent: none. */
  readonly origins?: readonly string[] | undefined;
  /** Set if a developer creates the key: what restricts their other keys of the account restricts this one too. */
  readonly restrictedAs?: string | null;
  /** A well-formed secret chosen by the operator; random if absent. */
  readonly secret?: Secret | null;
}

/** Fields that are present replace the current values; limits and permissions as a whole. */
export type KeyUpdate = Omit<KeyChanges, 'revokedAt' | 'retiringAt' | 'updatedAt'>;

export interface CreatedKey {
  readonly key: Key;
  /** The only copy. */
  readonly secret: Secret;
}

export interface Rotation {
  readonly retiring: Key;
  readonly successor: CreatedKey;
}

/** A changed key, and those of its earlier secrets that changed with it. */
export interface ChangedKey extends Changed<Key> {
  readonly predecessors: readonly Changed<Key>[];
}

export interface KeyRegistryParts {
  readonly store: AccountStore;
  readonly transactions: Transactions;
  readonly mirror: KeyMirror;
  readonly pepper: Pepper;
  readonly clock: Clock;
  /** Keys per account that are neither revoked nor rotated; `KEYS_MAX` if absent. */
  readonly keysMax?: number;
}

export class KeyRegistry {
  readonly #parts: KeyRegistryParts;

  constructor(parts: KeyRegistryParts) {
    this.#parts = parts;
  }

  /**
   * Throws `GatewayError`: `conflict` if the project is archived, or the account is closed or at its limit; `not_found` if there is no such
   * project.
   */
  create(request: KeyRequest): Promise<CreatedKey> {
    const { store, transactions, keysMax = KEYS_MAX } = this.#parts;
    const secret = request.secret ?? newSecret();
    return transactions.run(async () => {
      const { accountId } = await this.#openProject(request.projectId);
      const counts = await store.keyCounts(accountId);
      checkKeyCount(counts, keysMax);
      checkListsLength(counts, permissionsLength(request.permissions ?? {}));
      const within = await this.#restricted(request, accountId);
      return { key: await store.createKey(this.#newKey(within, secret, null)), secret };
    });
  }

  /**
   * Undoes `create` if the secret could not be shown: deletes the key from the store, and keeps it revoked for the rest of this process.
   */
  takeBack({ key }: CreatedKey): Promise<void> {
    return this.#parts.store.deleteKey(key.id, this.#parts.clock.now());
  }

  /**
   * Null if there is no key with this id. A revoked key may be renamed but not restored. Limits and permissions are replaced as a whole;
   * pass a function of the key to derive them from the current ones. Earlier secrets that are still good change too, except for the name.
   */
  update(id: KeyId, changes: ChangesOf<Key, KeyUpdate>): Promise<ChangedKey | null> {
    const { store, transactions, clock } = this.#parts;
    return transactions.run(async () => {
      const known = await store.key(id);
      if (known === null) return null;
      const update = changes instanceof Function ? await changes(known) : changes;
      const after = withUpdate(known, update);
      const earlier = predecessorsIn(await store.keysOfRoot(known.rootId), known);
      const following = followingPredecessors(earlier, known, after, clock.now());
      const grown = growthOf([{ before: known, after }, ...following]);
      if (grown > 0) checkListsLength(await store.keyCounts(known.accountId), grown);
      const updatedAt = clock.now();
      const predecessors: Changed<Key>[] = [];
      const { cacheSeconds, origins } = update;
      for (const { id: earlierId } of earlier.filter((key) => isRetiring(key, updatedAt))) {
        const settings = following.find(({ before }) => before.id === earlierId)?.after;
        if (settings === undefined && cacheSeconds === undefined && origins === undefined) continue;
        const plain = {
          ...(cacheSeconds !== undefined && { cacheSeconds }),
          ...(origins !== undefined && { origins }),
        };
        const changed = await store.changeKey(earlierId, { ...settings, ...plain, updatedAt });
        if (changed !== null) predecessors.push(changed);
      }
      const changed = await store.changeKey(id, { ...update, updatedAt });
      return changed === null ? null : { ...changed, predecessors };
    });
  }

  /**
   * Creates a successor with a new secret, which takes over all settings of the key and counts in the same budgets and rates. The old
   * secret stays good for `graceMs` (0 to 7 days; 0 ends it immediately), but not beyond the key's own expiry. Null if there is no key with
   * this id. Throws `GatewayError`: `invalid_value` for another grace; `conflict` for a key that is not active, in an archived project or
   * in a closed account.
   */
  rotate(
    id: KeyId,
    { graceMs, createdBy = null }: { readonly graceMs: number; readonly createdBy?: string | null },
  ): Promise<Rotation | null> {
    const { store, transactions, clock, keysMax = KEYS_MAX } = this.#parts;
    const secret = newSecret();
    return transactions.run(async () => {
      checkGrace(graceMs);
      const key = await store.key(id);
      if (key === null) return null;
      const status = keyStatus(key, clock.now());
      if (status !== 'active') throw cannotRotate(key, status);
      await this.#openProject(key.projectId);
      const counts = await store.keyCounts(key.accountId);
      checkSuccessorCount(counts, keysMax);
      checkListsLength(counts, permissionsLength(key.permissions));
      const retiring = await store.changeKey(id, { retiringAt: clock.now() + graceMs });
      if (retiring === null) return null;
      // Both apply on commit: the new secret is good before the old one ends.
      const successor = await store.createKey(this.#newKey({ ...key, createdBy }, secret, key.rootId));
      return { retiring: retiring.after, successor: { key: successor, secret } };
    });
  }

  /**
   * Null if there is no key with this id. With `now`, running calls of the key are cut; otherwise they run to their end. Its earlier
   * secrets end with it; its successor stays good until it is revoked too. Revoking twice changes nothing, but cuts calls again.
   */
  revoke(
    id: KeyId,
    { now = false, by = null }: { readonly now?: boolean; readonly by?: Level | null } = {},
  ): Promise<ChangedKey | null> {
    const { store, transactions, clock } = this.#parts;
    return transactions.run(async () => {
      const changed = await this.#revokeOne(id, { now, by });
      if (changed === null) return null;
      const { after: key } = changed;
      const predecessors: Changed<Key>[] = [];
      for (const predecessor of predecessorsIn(await store.keysOfRoot(key.rootId), key)) {
        if (isRetiring(predecessor, clock.now())) {
          const revoked = await this.#revokeOne(predecessor.id, { now, by });
          if (revoked !== null) predecessors.push(revoked);
          // A call that began before it ended may still be running.
        } else if (now) await store.cutCalls(predecessor.id);
      }
      return { ...changed, predecessors };
    });
  }

  async #revokeOne(
    id: KeyId,
    { now, by }: { readonly now: boolean; readonly by: Level | null },
  ): Promise<Changed<Key> | null> {
    const { store, clock } = this.#parts;
    const changed = await store.changeKey(id, ({ revokedAt, restrictions }) => ({
      ...(revokedAt === null ? { revokedAt: clock.now() } : {}),
      // A person who could lift its restrictions revoked it instead, so they do not apply to a key that replaces it.
      ...(by === null || restrictions === undefined ? {} : { restrictions: liftedBy(restrictions, by) }),
    }));
    if (changed !== null && now) await store.cutCalls(id);
    return changed;
  }

  /**
   * Revokes every key of an account that is not revoked, cuts their running calls, and returns their number. Must not run within a
   * transaction.
   */
  async revokeAllOf(account: AccountId): Promise<number> {
    const { store } = this.#parts;
    const revoked = await endKeys(this.#parts, (page) => store.standingKeysOf(account, page), this.#revoking());
    return revoked.length;
  }

  /**
   * Revokes the management keys of an account that somebody (`user:<id>`) created, a few per transaction, with what `note` writes about
   * each. Returns those that were not revoked before, in their former state. Must not run within a transaction.
   */
  revokeManagementKeys(account: AccountId, createdBy: string, note: NoteKey): Promise<readonly Key[]> {
    const isMeant = ({ kind }: Key) => kind === 'management';
    return this.#endMadeBy([createdBy], account, this.#revoking(isMeant, note));
  }

  /** The same in every account except those in `but`. */
  revokeManagementKeysOf(createdBy: string, but: ReadonlySet<AccountId>, note: NoteKey): Promise<readonly Key[]> {
    const isMeant = ({ kind, accountId }: Key) => kind === 'management' && !but.has(accountId);
    return this.#endMadeBy([createdBy], null, this.#revoking(isMeant, note));
  }

  /**
   * Disables, as an operator, the management keys that somebody created, in every account. Returns those that were neither disabled nor
   * revoked, in their former state.
   */
  disableManagementKeysOf(createdBy: string, note: NoteKey): Promise<readonly Key[]> {
    const { clock } = this.#parts;
    const change = (key: Key): KeyChanges => ({
      disabled: true,
      restrictions: restrict(key, { ...key, disabled: true }, key.restrictions ?? {}, 'operator'),
      updatedAt: clock.now(),
    });
    const isMeant = ({ kind, disabled }: Key) => kind === 'management' && !disabled;
    return this.#endMadeBy([createdBy], null, {
      matches: isMeant,
      change,
      isCut: false,
      isEnded: ({ disabled }) => disabled,
      note,
    });
  }

  /**
   * Revokes the keys of an account that these makers created, and cuts their running calls. Returns those that were not revoked before, in
   * their former state.
   */
  revokeMadeBy(account: AccountId, makers: Makers, note: NoteKey): Promise<readonly Key[]> {
    return this.#endMadeBy([...makers], account, this.#revoking(undefined, note));
  }

  /** The projects and accounts that the keys belong to. */
  get scopes(): ScopeMirror {
    return this.#parts.mirror.scopes;
  }

  get(id: KeyId): Key | null {
    return this.#parts.mirror.get(id) ?? null;
  }

  /** The same keys, with the lists of revoked ones, which memory does not keep. */
  withLists(keys: readonly Key[]): Promise<readonly Key[]> {
    return withStoredLists(this.#parts.store, keys);
  }

  /** Whether a key is accepted now: it is good, its project is not archived, and its account is not closed. */
  isUsable(id: KeyId): boolean {
    const { mirror, clock } = this.#parts;
    const key = mirror.get(id);
    return key !== undefined && isUsable(key, mirror, clock.now());
  }

  /** Whether a key is good by its row, which another process may have changed a moment ago. */
  async isStillGood(id: KeyId): Promise<boolean> {
    const { store, clock } = this.#parts;
    const key = await store.key(id);
    return key !== null && isGood(key, clock.now());
  }

  /** The key of a digest, whatever its status. */
  findDigest(digest: Buffer): Key | null {
    return this.#parts.mirror.findDigest(digest) ?? null;
  }

  /** Every key, including revoked ones, in order of id. */
  list(): IterableIterator<Key> {
    return this.#parts.mirror.list();
  }

  /** Every key, including revoked ones, newest first; keys created while it is read are left out. */
  newestFirst(): IterableIterator<Key> {
    return this.#parts.mirror.newestFirst();
  }

  #endMadeBy(makers: readonly string[], account: AccountId | null, how: Ending): Promise<readonly Key[]> {
    const { store } = this.#parts;
    return endKeys(this.#parts, (page) => store.keysMadeBy(makers, account, page), how);
  }

  #revoking(isMeant: Ending['matches'] = () => true, note?: NoteKey): Ending {
    const { clock } = this.#parts;
    const isEnded = ({ revokedAt }: Key) => revokedAt !== null;
    return { matches: isMeant, change: () => ({ revokedAt: clock.now() }), isCut: true, isEnded, note };
  }

  /**
   * The request, limited by what restricts its maker's keys in the account, in any project. For a rotated key, the successor's restrictions
   * apply.
   */
  async #restricted(request: KeyRequest, account: AccountId): Promise<KeyRequest> {
    const { store, clock } = this.#parts;
    const { restrictedAs: maker = null, expiresAt = null, limits = {}, permissions = {} } = request;
    if (maker === null) return request;
    const keys = await store.restrictedKeysOf(maker, account);
    return { ...request, ...withinRestrictionsOf(keys, { expiresAt, limits, permissions }, clock.now()) };
  }

  /** Read within the transaction, so that closing the account finds all of its keys. */
  async #openProject(id: ProjectId): Promise<Project> {
    const { store } = this.#parts;
    const project = await store.project(id);
    const account = project === null ? null : await store.account(project.accountId);
    if (project === null || account === null)
      throw new GatewayError('not_found', { message: 'The project does not exist.', param: 'project' });
    checkOpen(account);
    return checkNotArchived(project);
  }

  #newKey(request: KeyRequest, secret: Secret, rootId: KeyId | null): NewKey {
    const { pepper, clock } = this.#parts;
    return {
      projectId: request.projectId,
      rootId,
      name: request.name,
      kind: request.kind ?? 'inference',
      digest: digestOf(secret, pepper),
      pepperId: pepper.id,
      label: labelOf(secret),
      createdAt: clock.now(),
      createdBy: request.createdBy ?? null,
      expiresAt: request.expiresAt ?? null,
      limits: request.limits ?? {},
      permissions: request.permissions ?? {},
      restrictions: request.restrictions,
      cacheSeconds: request.cacheSeconds,
      origins: request.origins,
    };
  }
}
