/** What every measure receives and returns. */
import type { MemoryWalk } from '../memory-walk.ts';
import type { Backend, Subject, SubjectName, SubjectOptions } from '../subject.ts';

export const measureNames = [
  'call',
  'ledger',
  'nodes',
  'bank',
  'one-connection',
  'chunk',
  'latency',
  'idle',
  'memory',
  'body',
  'settle',
  'keys',
  'bad-keys',
  'dashboard',
  'reports',
] as const;
export type MeasureName = (typeof measureNames)[number];

export interface Bench {
  readonly backend: Backend;
  readonly subjects: readonly Subject[];
  /** Fewer rounds: to check that everything works, not to publish. */
  readonly quick: boolean;
  /** Where a Turnpike process writes its CPU profile; null for none. */
  readonly profileFolder: string | null;
  /** A separate subject, whose memory nothing else has used. */
  startFresh(name: SubjectName, options?: Partial<SubjectOptions>): Promise<Subject>;
  /** The state of the machine during the rounds. */
  readonly walk: MemoryWalk;
  /** Prints what is being done. */
  say(text: string): void;
}

/** One line of the table. */
export interface Row {
  readonly work: string;
  readonly unit: string;
  /** Decimals shown. */
  readonly digits: number;
  readonly values: Readonly<Partial<Record<SubjectName, number>>>;
  /** The figures of all rounds, in order, whose median `values` has; null if there were no rounds. */
  readonly rounds: Readonly<Partial<Record<SubjectName, readonly number[]>>> | null;
  /** Turnpike's own target: it is not judged by another program's figure (decision 0021). */
  readonly target: Target | null;
}

export type Target =
  | { readonly type: 'absolute'; readonly most: number }
  | { readonly type: 'at-least'; readonly least: number };
