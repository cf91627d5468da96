/** The origin of a request that is not authenticated yet, or the program itself at start. */
import type { AuditActor, NewAuditEntry, User } from './ports.ts';

export interface Visitor {
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** From the browser's session cookie; not verified. */
  readonly sessionToken: string | null;
  /** From the browser's device cookie; not verified. */
  readonly deviceToken: string | null;
  audit(change: VisitorChange): Promise<void>;
  /** Checks the request's rights again just before a change of sign-in data. Throws if it would be refused now. */
  checkStill(): Promise<void>;
}

export interface VisitorChange extends Pick<NewAuditEntry, 'action' | 'subject' | 'before' | 'after' | 'accountId'> {
  /** By default the visitor, as far as known. */
  readonly actor?: AuditActor;
}

/** A change of a person by that person. */
export function personalChange(
  user: User,
  action: string,
  after: Readonly<Record<string, unknown>> | null = null,
): VisitorChange & { readonly actor: AuditActor } {
  return { ...changeTo(user, action, after), actor: { kind: 'user', id: user.id, name: user.email } };
}

/** A change of a person by the visitor. */
export function changeTo(
  user: User,
  action: string,
  after: Readonly<Record<string, unknown>> | null = null,
): VisitorChange {
  return {
    action,
    subject: { kind: 'user', id: String(user.id), name: user.email },
    accountId: null,
    before: null,
    after,
  };
}
