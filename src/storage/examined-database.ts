/** What `turnpike doctor` learns of the database of an installation. Nothing is written to find it out. */
import type { Secret } from '../core/secret.ts';
import type { GivenSecrets } from '../credentials/ports.ts';

export interface ExamineOptions {
  /** The data folder, absolute. */
  readonly folder: string;
  readonly database: { readonly url: Secret; readonly readUrl: Secret | null };
  readonly givenSecrets: GivenSecrets;
  /** The machine's own time, ms since 1970. */
  readonly now: () => number;
  /** Of this program. */
  readonly version: string;
}

export interface ExaminedDatabase {
  /** `18.4`. */
  readonly serverVersion: string;
  /** Host, port and name, without user and password. */
  readonly place: string;
  /** Why this program cannot work with the server, in a sentence that says what to do; null if it can. */
  readonly complaint: string | null;
  /** How far its clock is ahead of this machine's, ms; negative if it is behind. */
  readonly aheadMs: number;
  /** Null if it has no schema of ours yet. */
  readonly schema: ExaminedSchema | null;
  /** Why no installation may be begun in it, if it has none: the data folder has a ledger. Otherwise null. */
  readonly leftBehind: string | null;
  /** Null if the server does not archive its log. */
  readonly archiver: ExaminedArchiver | null;
  /** Why the replica for reports cannot be used; null if it can, or there is none. */
  readonly replicaComplaint: string | null;
  /** Null if there is no replica, or it cannot be asked. */
  readonly replica: ExaminedReplica | null;
}

export interface ExaminedSchema {
  readonly migrations: number;
  /** Migrations that this program will apply at its next start. */
  readonly missing: readonly string[];
  /** Migrations that only newer programs know. */
  readonly newer: readonly string[];
  /** Why this program is too old for the schema; null if it is not. */
  readonly complaint: string | null;
  /** Options whose value is another one than that of the installation. */
  readonly otherSecrets: readonly string[];
  readonly nodes: readonly ExaminedNode[];
}

export interface ExaminedNode {
  readonly name: string;
  readonly version: string;
  readonly state: 'live' | 'draining' | 'lost' | 'gone';
  readonly seenAgoMs: number;
  /** How it is configured, by the names of options; null if it does not say. */
  readonly settings: Readonly<Record<string, string>> | null;
}

export interface ExaminedReplica {
  /** False if `readUrl` names a primary. */
  readonly isStandby: boolean;
  /** How much of the database's log it lacks, bytes. */
  readonly behindBytes: number;
  /** How old what it has is, ms: 0 if it lacks nothing; null if it has replayed no transaction since it was started. */
  readonly lagMs: number | null;
  /** Whether it is connected to the server that sends it the log; not if it gets the log from an archive. */
  readonly isReceiving: boolean;
}

export interface ExaminedArchiver {
  /** Null if nothing was archived yet. */
  readonly archivedAgoMs: number | null;
  /** Whether the last attempt failed. */
  readonly isFailing: boolean;
}
