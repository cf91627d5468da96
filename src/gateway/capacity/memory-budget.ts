/**
 * How much memory the bodies of running calls may take, in total and per account and key (`core/fair-shares.ts`). Calls do
 * not wait for memory: beyond the limit a call is refused, and its connection closed.
 */
import { getHeapStatistics } from 'node:v8';
import { GatewayError } from '../../core/errors.ts';
import { FairShares, type FullShare, type Share } from '../../core/fair-shares.ts';
import type { AccountId, KeyId } from '../../core/ids.ts';
import { memoryMax } from '../../telemetry/load-measures.ts';
import type { JsonDocument } from '../../wire/json-document.ts';

const MIB = 1024 * 1024;
const DEFAULT_MAX = 1024 * MIB;
const RETRY_AFTER_SECONDS = 2;

/** Bytes that a body may have before it is counted; `limits.inFlightMax` bounds the sum of these. */
export const UNCOUNTED_BYTES = 16 * 1024;
/** Larger bodies are counted in steps of this. */
const STEP_BYTES = 256 * 1024;

/** What is counted for `bytes`: rounded up to a step, so that not every arriving piece is counted. */
export function inSteps(bytes: number): number {
  const step = bytes <= STEP_BYTES ? UNCOUNTED_BYTES : STEP_BYTES;
  return Math.ceil(bytes / step) * step;
}

export class MemoryBudget {
  readonly #shares: FairShares;

  /** `bytesMax`: `limits.memoryBytes`. */
  constructor(bytesMax: number) {
    this.#shares = new FairShares(bytesMax);
  }

  get used(): number {
    return this.#shares.used;
  }

  get bytesMax(): number {
    return this.#shares.total;
  }

  open(accountId: AccountId, keyId: KeyId): MemoryShare {
    return new MemoryShare(this.#shares.of(accountId, keyId), this.#shares);
  }

  /** Throws `GatewayError` 413 for more bytes than one key can ever have. */
  refuseImpossible(bytes: number): void {
    if (bytes > this.#shares.keyMax) throw neverFits(bytes, this.#shares.keyMax);
  }
}

/** A call with a body in memory, whose key is known. */
export interface MemoryUser {
  readonly key: { readonly accountId: AccountId; readonly id: KeyId };
  memory: MemoryShare | null;
}

/** The call's share, opened when it is first needed: most calls are too small to be counted. */
export function memoryOf(call: MemoryUser, budget: MemoryBudget): MemoryShare {
  const { key } = call;
  call.memory ??= budget.open(key.accountId, key.id);
  return call.memory;
}

/** What one call has taken. */
export class MemoryShare {
  readonly #share: Share;
  readonly #shares: Pick<FairShares, 'keyMax' | 'accountMax'>;
  #taken = 0;

  constructor(share: Share, shares: Pick<FairShares, 'keyMax' | 'accountMax'>) {
    this.#share = share;
    this.#shares = shares;
  }

  /** Throws `GatewayError` 503 `overloaded`, or 413 if the key can never have that much; nothing is taken then. */
  take(bytes: number): void {
    const { keyMax } = this.#shares;
    if (this.#taken + bytes > keyMax) throw neverFits(this.#taken + bytes, keyMax);
    if (this.#share.take(bytes) !== null) throw overloaded(this.#share.blockedBy(this.#taken + bytes));
    this.#taken += bytes;
  }

  /**
   * For an answer: because the provider has already done the work, it is refused only beyond the account's share. Throws
   * `GatewayError` 503 `overloaded`, or 502 if the account can never have that much: a repetition would not help.
   */
  takeForAnswer(bytes: number): void {
    if (this.#taken + bytes > this.#shares.accountMax) throw answerNeverFits(this.#shares.accountMax);
    if (!this.#share.takeOfAccount(bytes)) throw overloaded(this.#share.accountBlockedBy(this.#taken + bytes));
    this.#taken += bytes;
  }

  /** Releases all of it; more may be taken afterwards. */
  release(): void {
    if (this.#taken === 0) return;
    this.#share.give(this.#taken);
    this.#taken = 0;
  }
}

/** What the process may use in all, bytes: of the container, otherwise of the machine. */
export function processMemoryMax(): number {
  return memoryMax();
}

/** The smallest of 1 GiB, a third of the machine's or container's memory, and half of what V8's heap may grow to. */
export function defaultMemoryBytes(): number {
  return Math.floor(Math.min(DEFAULT_MAX, memoryMax() / 3, getHeapStatistics().heap_size_limit / 2));
}

/** A value or name in V8: its slot in an object, its own fields, its part of a table. */
const BYTES_PER_VALUE = 96;
/** Text exists as text, as the strings parsed from it, and in the written body. */
const TEXT_COPIES = 3;
/** Media are taken out before: as a string, and in the written body. */
const MEDIA_COPIES = 2;

/** About how much memory it takes to read a document into objects and write it again, in addition to its own bytes. */
export function treeBytes(document: JsonDocument, mediaBytes: number): number {
  const text = document.bytes.length - mediaBytes;
  return document.values * BYTES_PER_VALUE + text * TEXT_COPIES + mediaBytes * MEDIA_COPIES;
}

const HOLDERS: Readonly<Record<FullShare, string>> = {
  key: 'other requests of this key use',
  account: 'other requests of this account use',
  installation: 'requests of other accounts use',
};

function overloaded(binding: FullShare): GatewayError {
  return new GatewayError('overloaded', {
    message: `The gateway does not have enough memory for this request right now: ${HOLDERS[binding]} too much of it. Try again shortly.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    facts: { limit: 'limits.memoryBytes', binding },
  });
}

function answerNeverFits(bytesMax: number): GatewayError {
  return new GatewayError('bad_gateway', {
    message: `The provider's answer needs more memory than one account can use: ${bytesMax} bytes (half of limits.memoryBytes). Ask for less at once, or ask the operator to raise the limit.`,
    facts: { limit: 'limits.memoryBytes' },
  });
}

function neverFits(bytes: number, bytesMax: number): GatewayError {
  return new GatewayError('request_too_large', {
    message: `This request needs at least ${bytes} bytes of memory, and one key can use ${bytesMax} (a quarter of limits.memoryBytes). Send a smaller request, or ask the operator to raise the limit.`,
    facts: { limit: 'limits.memoryBytes', needed: bytes, most: bytesMax },
  });
}
