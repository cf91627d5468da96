/**
 * What is known of a call after each step. It is one object with all its fields from the start (`call.ts`); a step that
 * returns has filled in its own, and its type says so: `asserts call is Understood`. Types only.
 */
import type { Key } from '../accounts/keys.ts';
import type { Account, Project } from '../accounts/ports.ts';
import type { Hold } from '../billing/bank.ts';
import type { Model, Target } from '../catalog/model.ts';
import type { Settlement } from '../core/settlement.ts';
import type { Inbound } from '../dialects/interface/inbound.ts';
import type { Meter } from '../dialects/interface/meter.ts';
import type { Peek } from '../dialects/interface/peek.ts';
import type { FreeOperation, PaidOperation } from '../operations/operation.ts';
import type { Candidate } from '../routing/candidate.ts';
import type { Translation } from './admission/translation.ts';
import type { Call } from './call.ts';

/** Its key is known and has permission. The three fields are as of the last check of its rights. */
export interface Identified extends Call {
  key: Key;
  project: Project;
  account: Account;
}

/** Its request is complete. */
export interface Arrived extends Identified {
  inbound: Inbound;
}

/** What it asks for is known, and the model that will serve it. */
export interface Understood extends Arrived {
  peek: Peek;
  model: Model;
}

export interface Paid extends Understood {
  readonly operation: PaidOperation;
}

export interface Free extends Understood {
  readonly operation: FreeOperation;
}

/** The candidates that can serve it are known; the first is tried first. */
export interface Routed extends Paid {
  candidate: Candidate;
  target: Target;
}

/** Its request was read into the neutral form, for a candidate whose target does not speak its caller's format. */
export interface Translated extends Routed {
  translation: Translation;
}

/** The most it can cost is held: it must be finished once, however it ends. */
export interface Admitted extends Routed {
  hold: Hold;
}

/** A provider is asked; what it answers is metered. */
export interface Asked extends Admitted {
  meter: Meter;
  upstreamDialect: string;
}

/** Its consumption and cost are known and being written to disk. */
export interface Settled extends Admitted {
  settlement: Settlement;
}
