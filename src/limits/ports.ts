/**
 * What several nodes exchange about their limits. A node sends what it has counted itself, as absolute numbers: sending them twice changes
 * nothing, and an exchange that has lost everything is complete again after one round. Whatever is exchanged may be forgotten.
 */
import type { RateScope } from './rate-limits.ts';
import type { Share } from './sharing/share.ts';

export interface ScopeRef {
  readonly scope: RateScope;
  readonly id: number;
}

/** What has been counted of a scope: in the current minute, in the one before, on this day, and running now. */
export interface Counts {
  readonly requests: number;
  readonly requestsBefore: number;
  readonly tokens: number;
  readonly tokensBefore: number;
  readonly today: number;
  readonly running: number;
}

export interface OwnCounts extends ScopeRef, Counts, Share {}

export interface CountBatch {
  /** Who has counted: 16 hexadecimal digits, new for each process. */
  readonly counter: string;
  /** Minutes and UTC days since 1970, of the time that all nodes share. */
  readonly minute: number;
  readonly day: number;
  readonly counts: readonly OwnCounts[];
  /** Scopes that the other nodes should send, too. */
  readonly announced: readonly ScopeRef[];
  /** The time of the last answer; 0 at first. */
  readonly heardAt: number;
}

export interface CountAnswer {
  /** What the other counters sent last, each, in the order of the batch's counts. */
  readonly others: readonly (readonly StoredCounts[])[];
  /** What any node has announced since `heardAt`; some of it perhaps again. */
  readonly announced: readonly ScopeRef[];
  /** The time of the exchange, ms: the next batch's `heardAt`. */
  readonly nowMs: number;
}

/** Where counts are exchanged. */
export interface CountExchange {
  readonly name: string;
  /** How often, ms. */
  readonly periodMs: number;
  /** Changes with each connection: after it, a server may lack what was sent before. */
  readonly connection?: number;
  /** Writes the batch, then reads what all have written by then. Rejects if it is away, or answers nonsense. It may never settle: the caller stops waiting. */
  exchange(batch: CountBatch): Promise<CountAnswer>;
}

/** What the ledger knows of a day: calls that were settled, of all nodes. */
export interface SettledToday {
  /** In the order of the scopes; `day` in UTC days since 1970. */
  callsOf(scopes: readonly ScopeRef[], day: number): Promise<readonly number[]>;
}

/** What one counter has sent of a scope, as an exchange stores it. */
export interface StoredCounts extends Counts, Share {
  readonly minute: number;
  readonly day: number;
  /** When it was sent, by the clock of the exchange, ms. */
  readonly sentAt: number;
}
