/**
 * Rotates the keys of the ring: creates a new active key, seals everything again under it, and removes old keys when nothing
 * uses them. The new key is stored before anything is sealed under it, so a crash at any moment leaves everything readable; a
 * rotation that was interrupted continues at the next start.
 */
import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import { Secret } from '../core/secret.ts';
import { Serial } from '../core/serial.ts';
import type { Transactions } from '../core/transactions.ts';
import { type KeyRing, keyIdOf, NotOpened, ringKeyId } from './key-ring.ts';
import type { RingEntry, RingStore, SealedRow, SealedStore } from './ports.ts';

/** What the keys of the ring can open, and what they cannot. */
export interface SealReport {
  /** 16 hexadecimal digits. */
  readonly activeKey: string;
  readonly olderKeys: number;
  readonly sealed: number;
  /** How many of them are sealed under the active key. */
  readonly underActiveKey: number;
  /** What cannot be opened: `provider:<name>`, `totp:<user id>`. */
  readonly unopened: readonly string[];
}

/** Records the new active key, in the transaction of the rotation. */
export type NoteRotation = (made: Pick<SealReport, 'activeKey' | 'sealed' | 'unopened'>) => Promise<void>;

export interface KeyKeeperParts {
  readonly ring: KeyRing;
  /** The keys of the ring at the start. */
  readonly entries: readonly RingEntry[];
  /** Null if the active key comes from the configuration: then it cannot be rotated here. */
  readonly ringStore: RingStore | null;
  readonly store: SealedStore;
  readonly transactions: Transactions;
  /** The first bytes of sealed values that are stored elsewhere and expire; their keys are still needed. */
  readonly headsElsewhere?: () => Promise<readonly Uint8Array[]>;
  readonly clock: Pick<Clock, 'now'>;
  /** Called with a new active key, for code that derives its own keys from it. */
  readonly onNewKey?: (secret: Secret) => void;
}

/** Longer than stored answers are known, which do not name their key, and longer than any write takes. */
const KEEP_RETIRED_MS = 48 * 3_600_000;
const SECRET_BYTES = 32;
/** Rows sealed again in one turn of the event loop. */
const TURN_ROWS = 50;

export class KeyKeeper {
  readonly #parts: KeyKeeperParts;
  #entries: readonly RingEntry[];
  /** The ring is written as a whole, so rotations run one after the other. */
  readonly #turns = new Serial();

  constructor(parts: KeyKeeperParts) {
    this.#parts = parts;
    this.#entries = parts.entries;
    parts.ring.onUnknownKey(() => this.follow());
  }

  /** Opens everything that is sealed, changing nothing. */
  async check(): Promise<SealReport> {
    const { ring, store } = this.#parts;
    const rows = await store.sealed();
    const unopened: string[] = [];
    let underActiveKey = 0;
    for (const [index, { about, sealed }] of rows.entries()) {
      if (index % TURN_ROWS === TURN_ROWS - 1) await nextTurn();
      if (opened(ring, { about, sealed }) === null) unopened.push(about);
      else if (keyIdOf(sealed) === ring.activeId) underActiveKey += 1;
    }
    const olderKeys = this.#entries.length - 1;
    return { activeKey: ring.activeId, olderKeys, sealed: rows.length, underActiveKey, unopened };
  }

  /**
   * Creates a new active key and seals everything again under it. Throws `GatewayError` `conflict` if the key comes from
   * the configuration, and the file system's error if the ring cannot be written: then nothing has changed.
   */
  rotate(note: NoteRotation = async () => undefined): Promise<SealReport> {
    return this.#turns.run(async () => {
      const { ringStore, clock, onNewKey } = this.#parts;
      if (ringStore === null)
        throw new GatewayError('conflict', {
          message:
            'The sealing key is set in the configuration. Move the current key to the file sealing.key in the data folder, configure a new one, and restart: everything is then re-encrypted.',
        });
      const secret = new Secret(randomBytes(SECRET_BYTES).toString('hex'));
      const { sealed, unopened } = await this.check();
      const entries = [{ secret, retiredAt: null }, ...this.#entries.map((entry) => retired(entry, clock.now()))];
      await this.#replace(entries, () => note({ activeKey: ringKeyId(secret), sealed, unopened }));
      onNewKey?.(secret);
      await this.#reseal();
      await this.#dropUnused();
      return this.check();
    });
  }

  /** Continues an interrupted rotation, and drops keys that nothing uses. Call it when the program starts. */
  resume(): Promise<SealReport> {
    return this.#turns.run(async () => {
      if (this.#entries.length > 1) {
        await this.#reseal();
        await this.#dropUnused();
      }
      return this.check();
    });
  }

  /** Takes over the ring as it is stored: another process may have rotated it. */
  follow(): Promise<void> {
    return this.#turns.run(async () => {
      const { ring, ringStore, onNewKey } = this.#parts;
      const entries = (await ringStore?.read?.()) ?? this.#entries;
      const [active] = entries;
      if (active === undefined || entries === this.#entries) return;
      const isNew = ringKeyId(active.secret) !== ring.activeId;
      this.#use(entries);
      if (isNew) onNewKey?.(active.secret);
    });
  }

  /**
   * Writes the note and the ring together, or neither. Nothing is sealed under the new key before the commit: what was sealed
   * earlier could not be opened if the commit failed and the new key were dropped.
   */
  async #replace(entries: readonly RingEntry[], note: () => Promise<void>): Promise<void> {
    let isWritten = false;
    try {
      await this.#parts.transactions.run(async () => {
        await note();
        await this.#parts.ringStore?.replace(entries);
        isWritten = true;
      });
    } catch (error) {
      if (isWritten) await this.#parts.ringStore?.replace(this.#entries);
      throw error;
    }
    this.#use(entries);
  }

  #use(entries: readonly RingEntry[]): void {
    this.#entries = entries;
    this.#parts.ring.replace(entries.map(({ secret }) => secret));
  }

  async #reseal(): Promise<void> {
    const { ring, store } = this.#parts;
    let done = 0;
    for (const row of await store.sealed()) {
      if (keyIdOf(row.sealed) === ring.activeId) continue;
      const plain = opened(ring, row);
      // What cannot be opened stays as it is; `check` reports it.
      if (plain === null) continue;
      await store.replaceSealed(row.about, row.sealed, ring.seal(plain, row.about));
      plain.fill(0);
      done += 1;
      if (done % TURN_ROWS === 0) await nextTurn();
    }
  }

  async #dropUnused(): Promise<void> {
    const { ringStore, store, headsElsewhere, clock } = this.#parts;
    if (ringStore === null || this.#entries.every((entry) => !isOld(entry, clock.now()))) return;
    const sealed = (await store.sealed()).map((row) => row.sealed);
    const heads = [await store.expiringHeads(), (await headsElsewhere?.()) ?? []].flat();
    const used = new Set([...sealed, ...heads].map(keyIdOf));
    const isNeeded = (entry: RingEntry, index: number) =>
      index === 0 || !isOld(entry, clock.now()) || used.has(ringKeyId(entry.secret));
    const needed = this.#entries.filter(isNeeded);
    if (needed.length === this.#entries.length) return;
    await ringStore.replace(needed);
    this.#use(needed);
  }
}

/** Whether it was retired so long ago that no write under it can still be pending. */
function isOld({ retiredAt }: RingEntry, now: number): boolean {
  return retiredAt !== null && now - retiredAt >= KEEP_RETIRED_MS;
}

function retired({ secret, retiredAt }: RingEntry, now: number): RingEntry {
  return { secret, retiredAt: retiredAt ?? now };
}

/** Null if the ring cannot open it. */
function opened(ring: KeyRing, { about, sealed }: SealedRow): Buffer | null {
  try {
    return ring.open(sealed, about);
  } catch (error) {
    if (error instanceof NotOpened) return null;
    throw error;
  }
}
