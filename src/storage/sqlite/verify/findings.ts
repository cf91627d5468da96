/** Collects what is wrong: all of it is counted, the first of it is kept to be read. */
import type { LedgerRule, Violation } from '../../../billing/maintenance-ports.ts';

const KEPT_MAX = 1000;

export class Findings {
  readonly violations: Violation[] = [];
  count = 0;

  add(rule: LedgerRule, subject: string, detail: string): void {
    this.count += 1;
    if (this.violations.length < KEPT_MAX) this.violations.push({ rule, subject, detail });
  }
}
