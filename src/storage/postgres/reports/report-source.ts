/** What threads of reports get. */
import type { Replicated } from '../replica/checked-replica.ts';

export interface ReportSource {
  /** Of the database or its replica; has a password, so it is never printed. */
  readonly url: string;
  /** Whose replica it has to be; null for the database itself. */
  readonly replicaOf: Replicated | null;
}
