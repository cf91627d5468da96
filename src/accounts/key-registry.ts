/**
 * Makes, changes, rotates and revokes keys: the store first, then the mirror, then the news. A revocation counts in this process before
 * `revoke` resolves; one that could not be stored is not pretended.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Bus } from '../core/bus.ts';
import type { Clock } from '../core/clock.ts';
import type { AccountId, KeyId, ProjectId } from '../core/ids.ts';
import type { Secret } from '../core/secret.ts';
import { isUsable } from './authenticate.ts';
import { KEYS_MAX } from './bounds.ts';
import { checkOpen } from './check-open.ts';
import { cannotRotate, checkGrace } from './check-rotation.ts';
import { followingPredecessors, isRetiring, predecessorsOf, type TellPredecessor, withUpdate } from './key-chain.ts';
import type { KeyMirror } from './key-mirror.ts';
import { digestOf, labelOf, newSecret } from './key-secret.ts';
import { type Key, type KeyKind, keyStatus } from './keys.ts';
import type { Limits, Permissions } from './limits.ts';
import { isMadeBy, type Makers } from './made-by.ts';
import { withinRestrictionsOf } from './new-key-restrictions.ts';
import { type ChangesOf, type CheckStill, OneAtATime } from './one-at-a-time.ts';
import type { Pepper } from './pepper.ts';
import type { AccountStore, KeyChanges, NewKey } from './ports.ts';
import { type Level, liftedBy, type Restrictions, restrict } from './restrictions.ts';
import type { ScopeMirror } from './scope-mirror.ts';
import { withStoredLists } from './stored-keys.ts';

/** News about keys, told when it counts already. */
export interface KeyTopics {
  readonly 'key-created': Key;
  /** The key as it now stands; also one that is retiring since its rotation. */
  readonly 'key-changed': Key;
  readonly 'key-revoked': KeyRevoked;
}

export interface KeyRevoked {
  readonly key: Key;
  /** Whether who runs calls cuts those of this key; else they end by themselves. */
  readonly cut: boolean;
}

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
  /** A developer who makes it: what restricts their keys of the account restricts this one too. */
  readonly restrictedAs?: string | null;
  /** A secret chosen by the operator, of the right shape; a random one when absent. */
  readonly secret?: Secret | null;
}

/** What is given replaces what was there; limits and permissions as a whole. */
export type KeyUpdate = Omit<KeyChanges, 'retiringAt' | 'updatedAt'>;

export interface CreatedKey {
  readonly key: Key;
  /** The only copy there will ever be. */
  readonly secret: Secret;
}

export interface Rotation {
  readonly retiring: Key;
  readonly successor: CreatedKey;
}

export interface KeyRegistryParts {
  readonly store: AccountStore;
  readonly mirror: KeyMirror;
  readonly pepper: Pepper;
  readonly bus: Bus<KeyTopics>;
  readonly clock: Clock;
  /** Keys of an account that are neither revoked nor rotated; `KEYS_MAX` when absent. */
  readonly keysMax?: number;
}

/** So many keys are looked at, or changed, before calls get their turn: less than a millisecond. */
const SLICE_KEYS = 5000;
const SLICE_CHANGED = 10;

export class KeyRegistry {
  readonly #parts: KeyRegistryParts;
  readonly #changes = new OneAtATime();

  constructor(parts: KeyRegistryParts) {
    this.#parts = parts;
  }

  /** Throws `GatewayError` `conflict` where the account is closed, or has no room for it. `checkStill` of this and others is asked just before the change. */
  create(request: KeyRequest, checkStill?: CheckStill): Promise<CreatedKey> {
    const { store, mirror, bus, keysMax = KEYS_MAX } = this.#parts;
    return this.#changes.run(async () => {
      this.#checkOpen(request.projectId);
      const { accountId } = mirror.scopes.project(request.projectId);
      mirror.tallies.checkRoomForKey(accountId, keysMax);
      mirror.tallies.checkRoomForPermissions(accountId, {}, request.permissions ?? {});
      const secret = request.secret ?? newSecret();
      const key = await store.createKey(this.#newKey(await this.#restricted(request), secret, null));
      mirror.put(key);
      bus.publish('key-created', key);
      return { key, secret };
    }, checkStill);
  }

  /** Undoes `create` where nobody could be told of the secret: nothing of it stays in the store, and it is revoked for the rest of this process. */
  takeBack({ key }: CreatedKey): Promise<void> {
    const { store, mirror, clock } = this.#parts;
    return this.#changes.run(async () => {
      await store.deleteKey(key.id);
      mirror.put({ ...key, revokedAt: clock.now() });
    });
  }

  /**
   * The key as it now stands, or null when there is none of this id. A revoked key may be renamed but not brought back.
   * Limits and permissions are replaced whole: what is made of those that were is to be a function of the key. The secrets that it had
   * before follow while they are good, but for its name; of each that changed `tell` is told.
   */
  update(
    id: KeyId,
    changes: ChangesOf<Key, KeyUpdate>,
    checkStill?: CheckStill,
    tell: TellPredecessor = () => undefined,
  ): Promise<Key | null> {
    const { store, mirror, bus, clock } = this.#parts;
    return this.#changes.run(async () => {
      const known = mirror.get(id);
      if (known === undefined) return null;
      const update = typeof changes === 'function' ? changes(known) : changes;
      const after = withUpdate(known, update);
      const following = await followingPredecessors(mirror, known, after, clock.now());
      mirror.tallies.checkRoomForAll(known.accountId, [{ before: known, after }, ...following]);
      const updatedAt = clock.now();
      // First, so that asking again finishes what an error cut off.
      for (const { before, after: settings } of following) {
        const changed = await store.updateKey(before.id, { ...settings, updatedAt });
        if (changed === null) continue;
        mirror.put(changed);
        bus.publish('key-changed', changed);
        tell(before, changed);
      }
      const key = await store.updateKey(id, { ...update, updatedAt });
      if (key === null) return null;
      mirror.put(key);
      bus.publish('key-changed', key);
      return key;
    }, checkStill);
  }

  /**
   * Gives a key a successor with a new secret, which takes over all that the key is and counts in
   * the same budgets and rates. The old secret stays good for `graceMs` (0 to 7 days; 0 ends it at
   * once), but not beyond the key's own expiry. Null when there is none of this id. Throws
   * `GatewayError`: `invalid_value` for another grace; `conflict` for a key that is not active.
   */
  rotate(
    id: KeyId,
    { graceMs, createdBy = null }: { readonly graceMs: number; readonly createdBy?: string | null },
    checkStill?: CheckStill,
  ): Promise<Rotation | null> {
    const { store, mirror, bus, clock, keysMax = KEYS_MAX } = this.#parts;
    return this.#changes.run(async () => {
      checkGrace(graceMs);
      const key = mirror.get(id);
      if (key === undefined) return null;
      const status = keyStatus(key, clock.now());
      if (status !== 'active') throw cannotRotate(key, status);
      mirror.tallies.checkRoomForSuccessor(key.accountId, keysMax);
      mirror.tallies.checkRoomForPermissions(key.accountId, {}, key.permissions);
      const secret = newSecret();
      const asked = this.#newKey({ ...key, restrictions: key.restrictions, createdBy }, secret, key.rootId);
      const rotated = await store.rotateKey(id, clock.now() + graceMs, asked);
      if (rotated === null) throw cannotRotate(key, 'revoked or retiring');
      // The new secret is good before the old one may end.
      mirror.put(rotated.successor);
      mirror.put(rotated.retiring);
      bus.publish('key-created', rotated.successor);
      bus.publish('key-changed', rotated.retiring);
      return { retiring: rotated.retiring, successor: { key: rotated.successor, secret } };
    }, checkStill);
  }

  /**
   * The key as it now stands, or null when there is none of this id. With `now`, calls that run on
   * it are to be cut; else they end by themselves. The secrets that it had before end with it (`tell`
   * is told of those that were still good); its successor goes on until it is revoked too. Revoking
   * twice changes nothing, but tells the news again, so that calls can be cut after all.
   */
  revoke(
    id: KeyId,
    { now = false, by = null }: { readonly now?: boolean; readonly by?: Level | null } = {},
    checkStill?: CheckStill,
    tell: TellPredecessor = () => undefined,
  ): Promise<Key | null> {
    const { mirror, bus, clock } = this.#parts;
    return this.#changes.run(async () => {
      const key = await this.#revokeOne(id, { now, by });
      if (key === null) return null;
      for (const predecessor of await predecessorsOf(mirror, key)) {
        if (isRetiring(predecessor, clock.now())) {
          const revoked = await this.#revokeOne(predecessor.id, { now, by });
          if (revoked !== null) tell(predecessor, revoked);
          // A call that began before it ended may run still.
        } else if (now) bus.publish('key-revoked', { key: predecessor, cut: true });
      }
      return key;
    }, checkStill);
  }

  async #revokeOne(id: KeyId, { now, by }: { readonly now: boolean; readonly by: Level | null }): Promise<Key | null> {
    const { store, mirror, bus, clock } = this.#parts;
    const revoked = await store.revokeKey(id, clock.now());
    if (revoked === null) return null;
    // Whoever could loosen it has ended it instead: nothing of it binds a key that is made in its place.
    const lifted = by === null || revoked.restrictions === undefined ? null : liftedBy(revoked.restrictions, by);
    const key = (lifted === null ? null : await store.updateKey(id, { restrictions: lifted })) ?? revoked;
    mirror.put(key);
    bus.publish('key-revoked', { key, cut: now });
    return key;
  }

  /**
   * Revokes every key of an account, and tells how many were not revoked before; calls that run are to be cut. Keys whose
   * making began earlier are among them.
   */
  async revokeAllOf(account: AccountId): Promise<number> {
    return (await this.#revokeEach((key) => key.accountId === account)).length;
  }

  /** Revokes the management keys of an account that somebody made (`user:<id>`): those that were not revoked before, as they were. */
  revokeManagementKeys(account: AccountId, createdBy: string): Promise<readonly Key[]> {
    return this.#revokeEach(
      (key) => key.accountId === account && key.kind === 'management' && key.createdBy === createdBy,
    );
  }

  /** Revokes the management keys that somebody made, but for those of some accounts: those that were not revoked, as they were. */
  revokeManagementKeysOf(createdBy: string, but: ReadonlySet<AccountId>): Promise<readonly Key[]> {
    return this.#revokeEach(
      (key) => key.kind === 'management' && key.createdBy === createdBy && !but.has(key.accountId),
    );
  }

  /** Disables, as an operator, the management keys that somebody made, in every account: those that were neither disabled nor revoked, as they were. */
  disableManagementKeysOf(createdBy: string): Promise<readonly Key[]> {
    const { store, bus, clock } = this.#parts;
    return this.#eachInTurn(
      (key) => key.kind === 'management' && key.createdBy === createdBy && !key.disabled,
      async (standing) => {
        if (standing.disabled) return null;
        const restrictions = restrict(
          standing,
          { ...standing, disabled: true },
          standing.restrictions ?? {},
          'operator',
        );
        const key = await store.updateKey(standing.id, { disabled: true, restrictions, updatedAt: clock.now() });
        return key === null ? null : { key, tell: () => bus.publish('key-changed', key) };
      },
    );
  }

  /** Revokes the keys of an account that these made: those that were not revoked before, as they were. Calls that run are cut. */
  revokeMadeBy(account: AccountId, makers: Makers): Promise<readonly Key[]> {
    return this.#revokeEach((key) => isMadeBy(key, account, makers));
  }

  /** The projects and accounts that the keys belong to. */
  get scopes(): ScopeMirror {
    return this.#parts.mirror.scopes;
  }

  get(id: KeyId): Key | null {
    return this.#parts.mirror.get(id) ?? null;
  }

  /** The same keys; revoked ones, too, with their lists, which memory does not keep. */
  withLists(keys: readonly Key[]): Promise<readonly Key[]> {
    return withStoredLists(this.#parts.store, keys);
  }

  /** Whether a key lets its holder in now: it is good, its project is not archived, its account not closed. */
  isUsable(id: KeyId): boolean {
    const { mirror, clock } = this.#parts;
    const key = mirror.get(id);
    return key !== undefined && isUsable(key, mirror, clock.now());
  }

  /** The key of a digest, whatever its status. */
  findDigest(digest: Buffer): Key | null {
    return this.#parts.mirror.findDigest(digest) ?? null;
  }

  /** Every key, revoked ones included, in order of id. */
  list(): IterableIterator<Key> {
    return this.#parts.mirror.list();
  }

  /** Every key, revoked ones included, the one made last first; those made while it is read are left out. */
  newestFirst(): IterableIterator<Key> {
    return this.#parts.mirror.newestFirst();
  }

  #revokeEach(isMeant: (key: Key) => boolean): Promise<readonly Key[]> {
    const { store, bus, clock } = this.#parts;
    return this.#eachInTurn(isMeant, async ({ id }) => {
      const key = await store.revokeKey(id, clock.now());
      return key === null ? null : { key, tell: () => bus.publish('key-revoked', { key, cut: true }) };
    });
  }

  /** Changes those that are meant and are not revoked, and what is still good of their earlier secrets, in one turn; gives them as they were. */
  #eachInTurn(
    isMeant: (key: Key) => boolean,
    change: (key: Key) => Promise<{ readonly key: Key; tell(): void } | null>,
  ): Promise<readonly Key[]> {
    const { mirror, clock } = this.#parts;
    return this.#changes.run(async () => {
      let looked = 0;
      const changed: Key[] = [];
      const roots = new Set<KeyId>();
      // A successor is looked at before its predecessors.
      for (const standing of mirror.newestFirst()) {
        looked += 1;
        if (looked % SLICE_KEYS === 0) await nextTurn();
        if (standing.revokedAt !== null) continue;
        const isEarlier = roots.has(standing.rootId) && isRetiring(standing, clock.now());
        if (!isEarlier && !isMeant(standing)) continue;
        if (standing.rootId !== standing.id) roots.add(standing.rootId);
        const outcome = await change(standing);
        if (outcome === null) continue;
        mirror.put(outcome.key);
        outcome.tell();
        changed.push(standing);
        if (changed.length % SLICE_CHANGED === 0) await nextTurn();
      }
      return changed.reverse();
    });
  }

  /**
   * The request within what restricts the keys that its maker has in the account, whatever their project, looked at in a turn. Of one
   * that was rotated the successor says what is restricted.
   */
  async #restricted(request: KeyRequest): Promise<KeyRequest> {
    const { mirror, clock } = this.#parts;
    const { restrictedAs: maker = null, expiresAt = null, limits = {}, permissions = {} } = request;
    if (maker === null) return request;
    const { accountId } = mirror.scopes.project(request.projectId);
    let looked = 0;
    const keys: Key[] = [];
    for (const key of mirror.restricted()) {
      looked += 1;
      if (looked % SLICE_KEYS === 0) await nextTurn();
      const isTheirs = key.accountId === accountId && key.createdBy === maker && key.kind === 'inference';
      if (isTheirs && key.retiringAt === null) keys.push(key);
    }
    return { ...request, ...withinRestrictionsOf(keys, { expiresAt, limits, permissions }, clock.now()) };
  }

  /** Looked at when the key is made, not when it is asked for: whoever closes the account finds all of its keys. */
  #checkOpen(projectId: ProjectId): void {
    const { scopes } = this.#parts.mirror;
    const project = scopes.findProject(projectId);
    const account = project === undefined ? undefined : scopes.findAccount(project.accountId);
    if (account !== undefined) checkOpen(account);
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
    };
  }
}
