/** What the doctor found out about a deployment. */
import type { Deployment } from './deployment.ts';

export interface Finding {
  readonly name: string;
  /** `fail` makes the exit code 1; `skip`: it could not be tested. */
  readonly state: 'ok' | 'warn' | 'fail' | 'skip';
  readonly detail: string;
  /** What to do about it, in one sentence. */
  readonly fix?: string;
}

/** What the checks have in common. */
export interface Examination {
  readonly deployment: Deployment;
  /** The model that is called. */
  readonly model: string;
  readonly nowMs: number;
}

/** Looks at one part of the contract; what it throws is `Unanswered`. */
export type Check = (examination: Examination) => Promise<readonly Finding[]>;

/** Sent with every call: an answer from the response cache would say nothing about the way to a provider. */
export const UNCACHED = { 'x-turnpike-cache': 'false' } as const;

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}
