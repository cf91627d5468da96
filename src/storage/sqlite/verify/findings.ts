/** Collects violations: all are counted, and the first ones are kept. */
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
