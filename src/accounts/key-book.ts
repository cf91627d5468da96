/**
 * Makes and revokes keys: the store first, then the mirror, then the news. A revocation counts in
 * this process before `revoke` resolves; one that could not be stored is not pretended.
 */
import type { Bus } from '../core/bus.ts';
import type { Clock } from '../core/clock.ts';
import type { KeyId, ProjectId } from '../core/ids.ts';
import type { Secret } from '../core/secret.ts';
import type { KeyMirror } from './key-mirror.ts';
import { digestOf, labelOf, newSecret } from './key-secret.ts';
import type { Key, KeyKind, KeyLimits, KeyPermissions } from './keys.ts';
import type { Pepper } from './pepper.ts';
import type { AccountStore } from './ports.ts';

/** News about keys: a running stream of a revoked key is cut by who listens. */
export interface KeyTopics {
  readonly 'key-created': Key;
  readonly 'key-revoked': Key;
}

export interface KeyRequest {
  readonly projectId: ProjectId;
  /** Null gives it the name `Key <n>`. */
  readonly name: string | null;
  readonly kind?: KeyKind;
  readonly createdBy?: string | null;
  /** Wall time in ms, or null for never. */
  readonly expiresAt?: number | null;
  readonly limits?: KeyLimits;
  readonly permissions?: KeyPermissions;
  /** A secret chosen by the operator, of the right shape; a random one when absent. */
  readonly secret?: Secret | null;
}

export interface CreatedKey {
  readonly key: Key;
  /** The only copy there will ever be. */
  readonly secret: Secret;
}

export interface KeyBookParts {
  readonly store: AccountStore;
  readonly mirror: KeyMirror;
  readonly pepper: Pepper;
  readonly bus: Bus<KeyTopics>;
  readonly clock: Clock;
}

export class KeyBook {
  readonly #parts: KeyBookParts;

  constructor(parts: KeyBookParts) {
    this.#parts = parts;
  }

  async create(request: KeyRequest): Promise<CreatedKey> {
    const { store, mirror, pepper, bus, clock } = this.#parts;
    const secret = request.secret ?? newSecret();
    const key = await store.createKey({
      projectId: request.projectId,
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
    });
    mirror.put(key);
    bus.publish('key-created', key);
    return { key, secret };
  }

  /** The key as it now stands, or null when there is none of this id. Revoking twice changes nothing. */
  async revoke(id: KeyId): Promise<Key | null> {
    const { store, mirror, bus, clock } = this.#parts;
    const key = await store.revokeKey(id, clock.now());
    if (key === null) return null;
    mirror.put(key);
    bus.publish('key-revoked', key);
    return key;
  }

  /** Every key, revoked ones included, in order of id. */
  list(): IterableIterator<Key> {
    return this.#parts.mirror.list();
  }
}
