/**
 * What providers keep of answers, and the project whose call made it. Ids are the provider's; only digests of them are stored, never a word
 * of a prompt or an answer. Accounts share the operator's credentials, so an id is passed on only for the project that it belongs to, and
 * with the credential that made it.
 */
import { createHash } from 'node:crypto';
import type { LedgerStore, StoredId } from '../../billing/ports.ts';
import type { ProjectId } from '../../core/ids.ts';

export type StoredIdStore = Pick<LedgerStore, 'storedIds' | 'forgetStored' | 'forgetStoredBefore'>;

/** The provider that keeps something, the model that made it, and the credential that it was made with. */
export type Keeper = Pick<StoredId, 'provider' | 'upstreamModel' | 'credential'>;

/**
 * OpenAI keeps a response for 30 days (https://platform.openai.com/docs/guides/conversation-state), and so do Azure and xAI
 * (https://docs.x.ai/docs/guides/chat).
 */
export const KEPT_MS = 30 * 86_400_000;

export class StoredAnswers {
  readonly #store: StoredIdStore;

  constructor(store: StoredIdStore) {
    this.#store = store;
  }

  /** The keeper of each id, in their order; null for one that no call of this project stored, or too long ago. */
  async find(projectId: ProjectId, ids: readonly string[], nowMs: number): Promise<readonly (Keeper | null)[]> {
    const digests = ids.map(digestOf);
    const rows = await this.#store.storedIds(projectId, digests);
    const known = new Map(rows.map((row) => [latin1(row.digest), row]));
    return digests.map((digest) => {
      const row = known.get(latin1(digest));
      return row === undefined || row.createdAt + KEPT_MS <= nowMs ? null : row;
    });
  }

  forget(projectId: ProjectId, id: string): Promise<void> {
    return this.#store.forgetStored(projectId, digestOf(id));
  }

  /** Forgets what providers have deleted by now. */
  deleteExpired(nowMs: number): Promise<void> {
    return this.#store.forgetStoredBefore(nowMs - KEPT_MS);
  }
}

/** 16 bytes. Ids are long and random; a digest takes less space, and cannot be used at the provider. */
export function digestOf(id: string): Uint8Array {
  return createHash('sha256').update(id).digest().subarray(0, DIGEST_BYTES);
}

const DIGEST_BYTES = 16;

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
