/** What handlers of the management API receive and return. */

import type { Key } from '../../../accounts/keys.ts';
import type { Account } from '../../../accounts/ports.ts';
import type { NewAuditEntry, Role, Session, User } from '../../../members/ports.ts';
import type { Declared, RouteAnswer, RouteInput } from '../../contract/route.ts';
import type { CsvRow } from './csv.ts';
import type { TableTime } from './table-name.ts';

/** Who makes a request. `operator`: a process that may open the control socket. */
export type Actor =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'user'; readonly user: User; readonly session: Session }
  | { readonly kind: 'key'; readonly key: Key }
  | { readonly kind: 'operator' };

export type Change = Pick<NewAuditEntry, 'action' | 'subject' | 'before' | 'after'> & {
  /** By default the account of the request; null for changes of the installation. */
  readonly accountId?: NewAuditEntry['accountId'];
  /** The actor, if the request had none: the person who has just signed in. */
  readonly actor?: NewAuditEntry['actor'];
};

export interface Context {
  readonly actor: Actor;
  /** The account of the request. Asserts that the route needs a role in an account. */
  readonly account: Account;
  /** The actor's role there: an operator counts as an owner, a management key as an admin. */
  readonly role: Role;
  readonly isOperator: boolean;
  /** The person who makes the request. Asserts that it is a person: for routes that need `user`. */
  readonly user: User;
  /** `user:<id>`, `key:<id>` or `operator`, as in `created_by`. */
  readonly actorId: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string;
  /** The token of the session cookie, not verified; null without one. */
  readonly sessionToken: string | null;
  /** The device cookie, not verified; null without one. */
  readonly deviceToken: string | null;
  /** Throws `permission_denied` if the connection cannot carry a session. Call it before a one-use link is used up. */
  checkCarriesSession(): void;
  /** Sets the session cookie; null deletes it. */
  setSession(token: string | null): void;
  /** Sets the device cookie. */
  setDevice(token: string): void;
  /** Aborted when the caller has left: for streams of events. */
  readonly gone: AbortSignal;
  /**
   * Checks the actor's rights again, and throws if the request would be refused now. Await it just before a change if anything was awaited
   * since the handler began.
   */
  checkStill(): Promise<void>;
  /**
   * Runs `checkStill`, then `work`, in one transaction, with its audit entries. `work` may run twice, and must await only stores. Do
   * effects in memory, in files or by email afterwards.
   */
  change<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Writes an audit entry. Call it within the transaction of its change, which is rolled back if this fails. */
  audit(change: Change): Promise<void>;
  /** Writes an audit entry for a change outside the database that is already done: files created or deleted. */
  auditDone(change: Change): Promise<void>;
}

/** A table, written as CSV while it is read. */
export class TableAnswer {
  readonly columns: readonly string[];
  /** Rows in batches; returns the total line. Throws if it cannot continue. */
  readonly batches: AsyncGenerator<readonly CsvRow[], CsvRow>;
  /** Its subject, for the file name: `usage-by-model`. */
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

/** Server-sent events until the source ends or the caller leaves. */
export class EventAnswer {
  readonly events: AsyncIterable<ServerEvent>;

  constructor(events: AsyncIterable<ServerEvent>) {
    this.events = events;
  }
}

/** Throws `GatewayError` to refuse; things of another account are `not_found`. */
export type Handler<Route extends Declared> = (
  context: Context,
  input: RouteInput<Route>,
) => Promise<RouteAnswer<Route> | TableAnswer | EventAnswer> | RouteAnswer<Route>;

/** The handlers of a noun's routes, by their names in the contract. */
export type Handlers<Routes extends Readonly<Record<string, Declared>>> = {
  readonly [Name in keyof Routes]: Handler<Routes[Name]>;
};
