/** What is measured, and with what: the shapes that every subject has. */
import type { Asked, DialectName } from './dialects.ts';
import type { PinnedProcess } from './pinned-process.ts';

export type SubjectName = 'nginx' | 'bare' | 'turnpike';
export const subjectNames: readonly SubjectName[] = ['nginx', 'bare', 'turnpike'];

export interface Subject {
  readonly name: SubjectName | 'direct';
  readonly port: number;
  readonly key: string;
  /** Whether answers have the caller's name for the model: then its edits are part of what is measured. */
  readonly editsModel: boolean;
  path(dialect: DialectName, asked: Asked): string;
  /** Reports the event loop's longest pause since the last report; null if that is not watched. */
  readonly loopWorstMs: (() => Promise<number>) | null;
  /** Reports how many statements SQLite received since the last report; null if they are not counted. */
  readonly statements: (() => Promise<number>) | null;
  /** Null for `direct`. */
  readonly process: PinnedProcess | null;
  stop(): Promise<void>;
}

export interface Backend {
  readonly port: number;
  stop(): Promise<void>;
}

export interface SubjectOptions {
  /** Where a CPU profile of Turnpike is written when it ends; null for none. */
  readonly profileFolder: string | null;
  /** Whether the event loop of a Node program is watched. */
  readonly watchLoop: boolean;
  /** Whether Turnpike's statements are counted; not together with `watchLoop`. */
  readonly countStatements: boolean;
  /** Whether Turnpike keeps its ledger; if not, what a settlement waits for: see `without-ledger.ts`. */
  readonly ledger: 'kept' | 'none' | 'turn';
  /** Bad keys of an address that Turnpike answers immediately; its default when absent. */
  readonly badKeysBurst?: number;
}
