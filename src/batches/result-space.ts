/**
 * Whether the results of batches have space among the files of their account, as this node knows it: what the storage said last, and what was
 * written here since. Results are counted there every few seconds and every few megabytes, and not line by line.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountId, FileId } from '../core/ids.ts';
import type { FileStore } from '../files/ports.ts';

export interface ResultSpaceParts {
  readonly files: Pick<FileStore, 'spaceOf' | 'grow'>;
  readonly limits: () => SpaceLimits;
}

export interface SpaceLimits {
  readonly accountFilesBytesMax: number;
  readonly accountFilesMax: number;
}

/** `waits`: what is left is taken by uploads, which may be smaller than they said, or fail. */
export type Room = 'free' | 'waits' | 'none';

interface Account {
  bytes: number;
  arrivingBytes: number;
  /** Written here, and not counted at the storage yet. */
  readonly written: Map<FileId, number>;
  writtenBytes: number;
  /** Being counted there. */
  countedBytes: number;
  counting: Promise<void> | null;
}

/** Written before it is counted. */
const UNCOUNTED_MAX = 16 * 1024 * 1024;

export class ResultSpace {
  readonly #parts: ResultSpaceParts;
  readonly #accounts = new Map<AccountId, Account>();

  constructor(parts: ResultSpaceParts) {
    this.#parts = parts;
  }

  /** Whether another line may begin. `free` for an account that was not asked about. */
  roomOf(accountId: AccountId): Room {
    const account = this.#accounts.get(accountId);
    if (account === undefined) return 'free';
    const { accountFilesBytesMax } = this.#parts.limits();
    const bytes = account.bytes + account.countedBytes + account.writtenBytes;
    if (bytes < accountFilesBytesMax) return 'free';
    return bytes - account.arrivingBytes < accountFilesBytesMax ? 'waits' : 'none';
  }

  /** Whether the files of another batch have room. Rejects if the storage cannot be asked. */
  async hasRoomForBatch(accountId: AccountId): Promise<boolean> {
    const { files } = await this.#parts.files.spaceOf(accountId);
    await this.look(accountId);
    return files + FILES_OF_BATCH <= this.#parts.limits().accountFilesMax && this.roomOf(accountId) !== 'none';
  }

  /** So much more is in a file of results. */
  wrote(accountId: AccountId, file: FileId, bytes: number): void {
    const account = this.#accountOf(accountId);
    account.written.set(file, (account.written.get(file) ?? 0) + bytes);
    account.writtenBytes += bytes;
    // If it fails, `look` tries again, and says so.
    if (account.writtenBytes >= UNCOUNTED_MAX) this.look(accountId).catch(() => undefined);
  }

  /** Counts at the storage what was written here, and asks it what other nodes and uploads have taken. Rejects if it cannot. */
  look(accountId: AccountId): Promise<void> {
    const account = this.#accountOf(accountId);
    account.counting ??= this.#count(accountId, account).finally(() => {
      account.counting = null;
    });
    return account.counting;
  }

  /** Looks at these accounts, and forgets all others. Rejects if it cannot. */
  async lookAtAll(accountIds: ReadonlySet<AccountId>): Promise<void> {
    for (const [accountId, { writtenBytes, counting }] of this.#accounts)
      if (!accountIds.has(accountId) && writtenBytes === 0 && counting === null) this.#accounts.delete(accountId);
    for (const accountId of new Set([...accountIds, ...this.#accounts.keys()])) {
      // On SQLite none leaves the turn by itself, and one of 10,000 files takes two milliseconds.
      await nextTurn();
      await this.look(accountId);
    }
  }

  #accountOf(accountId: AccountId): Account {
    const known = this.#accounts.get(accountId);
    if (known !== undefined) return known;
    const account = {
      ...{ bytes: 0, arrivingBytes: 0, written: new Map<FileId, number>() },
      ...{ writtenBytes: 0, countedBytes: 0, counting: null },
    };
    this.#accounts.set(accountId, account);
    return account;
  }

  async #count(accountId: AccountId, account: Account): Promise<void> {
    const { files } = this.#parts;
    for (const [file, bytes] of [...account.written]) {
      account.written.delete(file);
      account.writtenBytes -= bytes;
      account.countedBytes += bytes;
      try {
        await files.grow(file, bytes);
      } catch (error) {
        account.countedBytes -= bytes;
        account.writtenBytes += bytes;
        account.written.set(file, (account.written.get(file) ?? 0) + bytes);
        throw error;
      }
    }
    const { bytes, arrivingBytes } = await files.spaceOf(accountId);
    account.bytes = bytes;
    account.arrivingBytes = arrivingBytes;
    account.countedBytes = 0;
  }
}

/** Its answers and its errors. */
const FILES_OF_BATCH = 2;
