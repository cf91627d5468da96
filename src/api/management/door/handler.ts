/** What a route of the management API is given, and what it gives back. */

import type { Key } from '../../../accounts/keys.ts';
import type { Account } from '../../../accounts/ports.ts';
import type { NewAuditEntry, Role, Session, User } from '../../../members/ports.ts';
import type { Declared, RouteAnswer, RouteInput } from '../../contract/route.ts';
import type { CsvRow } from './csv.ts';
import type { TableTime } from './table-name.ts';

/** Who asks. `operator` is whoever may open the control socket. */
export type Actor =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'user'; readonly user: User; readonly session: Session }
  | { readonly kind: 'key'; readonly key: Key }
  | { readonly kind: 'operator' };

export type Change = Pick<NewAuditEntry, 'action' | 'subject' | 'before' | 'after'> & {
  /** The account of the request when absent; null for what concerns the installation. */
  readonly accountId?: NewAuditEntry['accountId'];
  /** Who did it, where the request came from nobody: the person who has just signed in. */
  readonly actor?: NewAuditEntry['actor'];
};

export interface Context {
  readonly actor: Actor;
  /** The account that is asked about. Asserts that the route is one of an account: those that need a role. */
  readonly account: Account;
  /** What the actor may do there: an operator is an owner, a management key an admin. */
  readonly role: Role;
  readonly isOperator: boolean;
  /** The person who asks. Asserts that it is one: routes that need `user`. */
  readonly user: User;
  /** `user:<id>`, `key:<id>` or `operator`: what `created_by` says. */
  readonly actorId: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string;
  /** The token of the session cookie, whatever it is worth; null without one. */
  readonly sessionToken: string | null;
  /** The cookie by which a browser is known, whatever it is worth; null without one. */
  readonly deviceToken: string | null;
  /** Throws `permission_denied` where no session can be carried: to be asked before a one-use link is used up. */
  checkCarriesSession(): void;
  /** Sets the session cookie; null takes it away. */
  setSession(token: string | null): void;
  /** Sets the cookie by which this browser is known. */
  setDevice(token: string): void;
  /** Aborted when the caller is gone: for streams of events. */
  readonly gone: AbortSignal;
  /**
   * Throws what the request would be refused with if it came now. To be awaited just before a change, where anything was awaited
   * since the handler began: rights are judged when they are used.
   */
  checkStill(): Promise<void>;
  /**
   * One transaction: all that `work` writes in the stores, with its entries of the audit log, or nothing of it; first `checkStill`. What `work` is
   * may run twice, and waits for nothing but stores. What follows a change in memory, in files or by mail comes after it.
   */
  change<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Writes the audit log; to be asked within the transaction of the change that it tells of, which is not made without it. */
  audit(change: Change): Promise<void>;
  /** The same of what is done already, where no transaction of the database reaches: files that were removed, or made. */
  auditDone(change: Change): Promise<void>;
}

/** A table, written as CSV while it is read. */
export class TableAnswer {
  readonly columns: readonly string[];
  /** Rows, a batch at a time, and in the end the total line. Throws where it cannot go on. */
  readonly batches: AsyncGenerator<readonly CsvRow[], CsvRow>;
  /** What it is of, in letters of a file's name: `usage-by-model`. */
  readonly subject: string;
  readonly time: TableTime;

  constructor(
    columns: readonly string[],
    batches: AsyncGenerator<readonly CsvRow[], CsvRow>,
    subject: string,
    time: TableTime,
  ) {
    this.columns = columns;
    this.batches = batches;
    this.subject = subject;
    this.time = time;
  }
}

export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
}

/** Server-sent events until the source ends or the caller is gone. */
export class EventAnswer {
  readonly events: AsyncIterable<ServerEvent>;

  constructor(events: AsyncIterable<ServerEvent>) {
    this.events = events;
  }
}

/** Throws `GatewayError` for what it refuses; another account's things are `not_found`. */
export type Handler<Route extends Declared> = (
  context: Context,
  input: RouteInput<Route>,
) => Promise<RouteAnswer<Route> | TableAnswer | EventAnswer> | RouteAnswer<Route>;

/** The handlers of a noun's routes, by the names that the contract gives them. */
export type Handlers<Routes extends Readonly<Record<string, Declared>>> = {
  readonly [Name in keyof Routes]: Handler<Routes[Name]>;
};
