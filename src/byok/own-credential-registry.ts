/**
 * The credentials that accounts and projects bring, kept in memory as the feed says, and the changes of them. Changes are made within
 * the transaction of the request, with its audit entry.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { Feed } from '../core/feed.ts';
import type { AccountId, ProjectId } from '../core/ids.ts';
import type { Sealer } from '../core/sealing/sealer.ts';
import type { Secret } from '../core/secret.ts';
import type { Outside } from '../providers/outside.ts';
import { OwnCredentialEntry } from './own-credential-entry.ts';
import { checkedProvider, findOwnKind } from './own-provider.ts';
import type {
  OwnCredentialChanges,
  OwnCredentialId,
  OwnCredentialStore,
  OwnCredentialTopics,
  OwnStanding,
  StoredOwnCredential,
} from './ports.ts';
import { sealOwn } from './sealed-places.ts';

/** A member's requests must not fill the memory. */
export const OWN_CREDENTIALS_MAX = 100;
/** How long the old secret may stay in use after a rotation. */
export const OVERLAP_MS_MAX = 30 * 24 * 3_600_000;
/** A hint must not reveal a large part of the secret. */
const HINTED_LENGTH_MIN = 13;
const HINT_LENGTH = 4;
const NONE: readonly OwnCredentialEntry[] = [];
/** Below the number of every change. */
const FORGOTTEN = -1;

export interface OwnCredentialRegistryParts {
  readonly store: OwnCredentialStore;
  readonly feed: Pick<Feed<OwnCredentialTopics>, 'subscribe'>;
  readonly sealer: Sealer;
  /** For tokens that a provider's signature fetches: it must judge every address, because a credential may name one. */
  readonly outside: Outside;
  readonly clock: Pick<Clock, 'now'>;
  /** Why calls to an address would be refused, if that is known without connecting; null if it is not. */
  readonly complaintAbout: (origin: string) => string | null;
}

export interface NewOwnCredential {
  readonly accountId: AccountId;
  readonly projectId: ProjectId | null;
  readonly kind: string;
  readonly name: string;
  readonly origin: string | null;
  readonly options: StoredOwnCredential['options'];
  readonly models: readonly string[] | null;
  readonly use: StoredOwnCredential['use'];
  readonly fallback: boolean;
  readonly enabled: boolean;
  readonly secret: Secret;
  readonly createdBy: string;
}

/** Absent: as it is. */
export type OwnCredentialEdits = Partial<
  Pick<StoredOwnCredential, 'name' | 'origin' | 'options' | 'models' | 'use' | 'fallback' | 'enabled'>
> & { readonly secret?: Secret };

export interface OwnCredentialNews {
  readonly before: StoredOwnCredential;
  readonly after: StoredOwnCredential;
}

export class OwnCredentialRegistry {
  readonly #parts: OwnCredentialRegistryParts;
  readonly #entries = new Map<OwnCredentialId, OwnCredentialEntry>();
  /** Those of an account, in order of use: by position, then by age. */
  readonly #ofAccount = new Map<AccountId, readonly OwnCredentialEntry[]>();
  readonly #listeners: ((account: AccountId) => void)[] = [];
  /** Those whose standing is being written. */
  readonly #noting = new Set<OwnCredentialId>();

  private constructor(parts: OwnCredentialRegistryParts) {
    this.#parts = parts;
  }

  static async open(parts: OwnCredentialRegistryParts): Promise<OwnCredentialRegistry> {
    const registry = new OwnCredentialRegistry(parts);
    // Subscribe first: a change made during loading has a higher number than the row that was read.
    parts.feed.subscribe('ownCredential', ({ id, row }) => {
      if (row === null) registry.#remove(id);
      else registry.#put(row);
    });
    for (const row of await parts.store.list()) registry.#put(row);
    return registry;
  }

  /** Whether there is any in the installation: most calls need not ask further. */
  get isEmpty(): boolean {
    return this.#ofAccount.size === 0;
  }

  /** `listener` is called after a credential of an account was created, changed or deleted; it must not throw. */
  onChange(listener: (account: AccountId) => void): void {
    this.#listeners.push(listener);
  }

  /** In order of use. */
  of(account: AccountId): readonly OwnCredentialEntry[] {
    return this.#ofAccount.get(account) ?? NONE;
  }

  /** Of all of them. */
  ids(): IterableIterator<OwnCredentialId> {
    return this.#entries.keys();
  }

  /** The database went on from another state, whose numbers say nothing about these: what comes next replaces each of them. */
  forgetNumbers(): void {
    for (const entry of [...this.#entries.values()]) {
      this.#entries.delete(entry.stored.id);
      this.#put({ ...entry.stored, seq: FORGOTTEN }, entry);
    }
  }

  /** Throws `GatewayError` `not_found`, also for one of another account. */
  find(account: AccountId, id: string): OwnCredentialEntry {
    const entry = this.#entries.get(id as OwnCredentialId);
    if (entry === undefined || entry.stored.accountId !== account) throw notFound();
    return entry;
  }

  /** Call it in a transaction. Throws `GatewayError` `invalid_value`, `conflict` for a taken name or too many. */
  async create({ secret, ...given }: NewOwnCredential): Promise<StoredOwnCredential> {
    const { store, clock, sealer, outside } = this.#parts;
    const kind = findOwnKind(given.kind).name;
    checkedProvider({ ...given, kind }, secret, outside);
    this.#checkOrigin(given.origin);
    this.#checkName(given, null);
    if ((await store.countOf(given.accountId)) >= OWN_CREDENTIALS_MAX)
      throw new GatewayError('conflict', {
        message: `The account has ${OWN_CREDENTIALS_MAX} own credentials already. Delete one that is no longer used.`,
      });
    const id = randomUUID() as OwnCredentialId;
    const now = clock.now();
    return store.create({
      ...withPolicy(given),
      id,
      kind,
      position: this.#nextPosition(given.accountId),
      secret: sealOwn(sealer, { ...given, id }, 'secret', secret),
      hint: hintOf(secret),
      previous: null,
      previousUntil: null,
      createdAt: now,
      updatedAt: now,
      standing: 'untested',
      standingAt: null,
      seq: 0,
    });
  }

  /**
   * Call it in a transaction. A new secret replaces the old one at once. Throws `GatewayError` `not_found`, `invalid_value`, `conflict`;
   * a stored secret is not sent to a new address: with another address it must be entered again.
   */
  async update(account: AccountId, id: string, { secret, ...edits }: OwnCredentialEdits): Promise<OwnCredentialNews> {
    const { sealer, outside } = this.#parts;
    const entry = this.find(account, id);
    const { stored } = entry;
    const after = withPolicy({ ...stored, ...edits, options: { ...stored.options, ...edits.options } });
    this.#checkName(after, stored.id);
    // Disabling, renaming and limiting do not require repairing it first.
    if (secret !== undefined || edits.origin !== undefined || edits.options !== undefined) {
      if (secret === undefined && after.origin !== stored.origin)
        throw new GatewayError('invalid_value', {
          message: 'key: enter it again when you change base_url; a stored credential is not sent to a new address.',
          param: 'key',
        });
      const used = secret ?? entry.secret;
      if (used === null) throw new GatewayError('invalid_value', { message: `key: ${entry.problem}`, param: 'key' });
      checkedProvider(after, used, outside);
      this.#checkOrigin(after.origin);
    }
    const { name, origin, options, models, use, fallback, enabled } = after;
    return this.#write(stored, {
      name,
      origin,
      options,
      models,
      use,
      fallback,
      enabled,
      ...(secret === undefined ? {} : { ...fresh(sealOwn(sealer, stored, 'secret', secret), secret), ...NO_PREVIOUS }),
    });
  }

  /**
   * Call it in a transaction. The old secret is tried until `overlapMs` have passed, if the new one is refused; 0: never. Throws
   * `GatewayError` `not_found`, `invalid_value`.
   */
  async rotate(account: AccountId, id: string, secret: Secret, overlapMs: number): Promise<OwnCredentialNews> {
    const { sealer, outside, clock } = this.#parts;
    const { stored, secret: old } = this.find(account, id);
    checkedProvider(stored, secret, outside);
    return this.#write(stored, {
      ...fresh(sealOwn(sealer, stored, 'secret', secret), secret),
      ...(overlapMs === 0 || old === null
        ? NO_PREVIOUS
        : { previous: sealOwn(sealer, stored, 'previous', old), previousUntil: clock.now() + overlapMs }),
    });
  }

  /** Call it in a transaction. Throws `GatewayError` `not_found`. */
  async delete(account: AccountId, id: string): Promise<StoredOwnCredential> {
    const { stored } = this.find(account, id);
    if (!(await this.#parts.store.delete(stored.id))) throw notFound();
    return stored;
  }

  /** Stores how its last use or test went, if that differs from what is known. Null if nothing was written. */
  async note(id: OwnCredentialId, standing: OwnStanding): Promise<StoredOwnCredential | null> {
    const entry = this.#entries.get(id);
    // Many calls may learn the same at once.
    if (entry === undefined || entry.stored.standing === standing || this.#noting.has(id)) return null;
    this.#noting.add(id);
    try {
      const standingAt = this.#parts.clock.now();
      return await this.#parts.store.update(id, { standing, standingAt });
    } finally {
      this.#noting.delete(id);
    }
  }

  /** Tries again what could not be decrypted: its key of the ring may have come since. */
  async openAgain(): Promise<void> {
    const broken = [...this.#entries.values()].filter(({ secret }) => secret === null);
    for (const { stored } of broken) {
      const row = await this.#parts.store.find(stored.id);
      const before = this.#entries.get(stored.id);
      if (row === null || before === undefined || before.secret !== null || before.stored.seq > row.seq) continue;
      const entry = new OwnCredentialEntry(row, this.#parts);
      this.#entries.set(row.id, entry);
      this.#order(row.accountId, row.id, entry);
    }
  }

  /** Deletes secrets whose overlap is over. */
  async forgetPrevious(): Promise<void> {
    const now = this.#parts.clock.now();
    for (const { stored } of [...this.#entries.values()])
      if (stored.previousUntil !== null && stored.previousUntil <= now && stored.isUnreadable !== true)
        await this.#parts.store.update(stored.id, NO_PREVIOUS);
  }

  async #write({ id }: StoredOwnCredential, changes: OwnCredentialChanges): Promise<OwnCredentialNews> {
    const { store, clock } = this.#parts;
    const before = await store.find(id);
    const after = await store.update(id, { ...changes, updatedAt: clock.now() });
    if (before === null || after === null) throw notFound();
    return { before, after };
  }

  #checkOrigin(origin: string | null): void {
    const complaint = origin === null ? null : this.#parts.complaintAbout(origin);
    if (complaint !== null)
      throw new GatewayError('invalid_value', { message: `base_url: ${complaint}`, param: 'base_url' });
  }

  /** Within its scope, a name means one credential. */
  #checkName(
    { accountId, projectId, name }: Pick<StoredOwnCredential, 'accountId' | 'projectId' | 'name'>,
    self: OwnCredentialId | null,
  ): void {
    const isTaken = this.of(accountId).some(
      ({ stored }) => stored.id !== self && stored.projectId === projectId && stored.name === name,
    );
    if (isTaken)
      throw new GatewayError('conflict', {
        message: 'Another own credential of this account or project has this name.',
        param: 'name',
      });
  }

  #nextPosition(account: AccountId): number {
    return Math.max(-1, ...this.of(account).map(({ stored }) => stored.position)) + 1;
  }

  #put(row: StoredOwnCredential, before = this.#entries.get(row.id)): void {
    if (before !== undefined && before.stored.seq >= row.seq) return;
    const entry = new OwnCredentialEntry(row, this.#parts, before);
    this.#entries.set(row.id, entry);
    this.#order(row.accountId, row.id, entry);
  }

  #remove(id: OwnCredentialId): void {
    const before = this.#entries.get(id);
    if (before === undefined) return;
    this.#entries.delete(id);
    this.#order(before.stored.accountId, id, null);
  }

  /** Linear in the credentials of one account: `changed` replaces its former entry, null removes it. */
  #order(account: AccountId, id: OwnCredentialId, changed: OwnCredentialEntry | null): void {
    const others = this.of(account).filter(({ stored }) => stored.id !== id);
    const entries = changed === null ? others : [...others, changed].sort(inOrderOfUse);
    if (entries.length === 0) this.#ofAccount.delete(account);
    else this.#ofAccount.set(account, entries);
    for (const listener of this.#listeners) listener(account);
  }
}

const NO_PREVIOUS = { previous: null, previousUntil: null } as const;

/** A new secret has not been tested. */
function fresh(sealed: Uint8Array, secret: Secret) {
  return { secret: sealed, hint: hintOf(secret), standing: 'untested', standingAt: null } as const;
}

/** The operator's credentials are never a fallback of one that is used instead of them. */
function withPolicy<Given extends Pick<StoredOwnCredential, 'use' | 'fallback'>>(given: Given): Given {
  return given.use === 'only' && given.fallback ? { ...given, fallback: false } : given;
}

function inOrderOfUse({ stored: a }: OwnCredentialEntry, { stored: b }: OwnCredentialEntry): number {
  return a.position - b.position || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

/** The end of JSON is punctuation. */
function hintOf(secret: Secret): string | null {
  const text = secret.reveal();
  return text.length < HINTED_LENGTH_MIN || text.startsWith('{') ? null : text.slice(-HINT_LENGTH);
}

function notFound(): GatewayError {
  return new GatewayError('not_found', { message: 'No such credential.', param: 'credential' });
}
