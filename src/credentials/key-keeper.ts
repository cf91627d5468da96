/**
 * Looks after the keys of the ring: a new active one, everything sealed anew under it, old ones away when nothing uses
 * them. The new key is in its place before anything is sealed under it, so a crash at any moment leaves all of it readable; what
 * was not sealed anew yet is when the ring is opened again.
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

/** What the keys of the ring open, and what they do not. */
export interface SealReport {
  /** 16 hexadecimal digits. */
  readonly activeKey: string;
  readonly olderKeys: number;
  readonly sealed: number;
  /** How many of them are sealed under the active key. */
  readonly underActiveKey: number;
  /** What does not open: `provider:<name>`, `totp:<user id>`. */
  readonly unopened: readonly string[];
}

/** Writes down, in its transaction, that there is another active key. */
export type NoteRotation = (made: Pick<SealReport, 'activeKey' | 'sealed' | 'unopened'>) => Promise<void>;

export interface KeyKeeperParts {
  readonly ring: KeyRing;
  /** The keys that the ring was made with. */
  readonly entries: readonly RingEntry[];
  /** Null where the active key is given by the configuration: then no other can be made here. */
  readonly ringStore: RingStore | null;
  readonly store: SealedStore;
  readonly transactions: Transactions;
  /** Beginnings of values that are sealed elsewhere and expire by themselves: what keeps a key needed. */
  readonly headsElsewhere?: () => Promise<readonly Uint8Array[]>;
  readonly clock: Pick<Clock, 'now'>;
  /** Told of a new active key, for those that derive keys of their own from it. */
  readonly onNewKey?: (secret: Secret) => void;
}

/** Longer than answers are known to callers that send a request again, which tell no key, and than a change takes to be written. */
const KEEP_RETIRED_MS = 48 * 3_600_000;
const SECRET_BYTES = 32;
/** Sealed anew in one turn of the event loop. */
const TURN_ROWS = 50;

export class KeyKeeper {
  readonly #parts: KeyKeeperParts;
  #entries: readonly RingEntry[];
  /** The ring is written whole: one rotation after the other. */
  readonly #turns = new Serial();

  constructor(parts: KeyKeeperParts) {
    this.#parts = parts;
    this.#entries = parts.entries;
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
   * Makes a new active key and seals everything anew under it. Throws `GatewayError` `conflict` where the key is given by
   * the configuration, and what the file system says when the ring cannot be written: then nothing has changed.
   */
  rotate(note: NoteRotation = async () => undefined): Promise<SealReport> {
    return this.#turns.run(async () => {
      const { ringStore, clock, onNewKey } = this.#parts;
      if (ringStore === null)
        throw new GatewayError('conflict', {
          message:
            'The sealing key is given by the configuration. Put the key of now into the file sealing.key of the data folder, give another one, and restart: everything is sealed anew then.',
        });
      const secret = new Secret(randomBytes(SECRET_BYTES).toString('hex'));
      const { sealed, unopened } = await this.check();
      const entries = [{ secret, retiredAt: null }, ...this.#entries.map((entry) => retired(entry, clock.now()))];
      await this.#replace(entries, () => note({ activeKey: ringKeyId(secret), sealed, unopened }));
      onNewKey?.(secret);
      await this.#sealAnew();
      await this.#dropUnused();
      return this.check();
    });
  }

  /** Goes on where a rotation was interrupted, and drops keys that nothing uses. To be called when the program starts. */
  resume(): Promise<SealReport> {
    return this.#turns.run(async () => {
      if (this.#entries.length > 1) {
        await this.#sealAnew();
        await this.#dropUnused();
      }
      return this.check();
    });
  }

  /**
   * The note and the ring are written together, or neither is. Nothing is sealed under the new key before that is certain: what
   * is sealed meanwhile could not be opened again if the commit failed and the new key went with it.
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

  async #sealAnew(): Promise<void> {
    const { ring, store } = this.#parts;
    let done = 0;
    for (const row of await store.sealed()) {
      if (keyIdOf(row.sealed) === ring.activeId) continue;
      const plain = opened(ring, row);
      // What does not open stays as it is, and is told by `check`.
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

/** Whether it was retired so long ago that nothing can still be on its way to be written under it. */
function isOld({ retiredAt }: RingEntry, now: number): boolean {
  return retiredAt !== null && now - retiredAt >= KEEP_RETIRED_MS;
}

function retired({ secret, retiredAt }: RingEntry, now: number): RingEntry {
  return { secret, retiredAt: retiredAt ?? now };
}

/** Null when the ring does not open it. */
function opened(ring: KeyRing, { about, sealed }: SealedRow): Buffer | null {
  try {
    return ring.open(sealed, about);
  } catch (error) {
    if (error instanceof NotOpened) return null;
    throw error;
  }
}
