/** Whoever is at the door: a request before anybody knows whose it is, or the program itself at its start. */
import type { AuditActor, NewAuditEntry, User } from './ports.ts';

export interface Visitor {
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** Of the session that the visitor's browser has, whatever it is worth. */
  readonly sessionToken: string | null;
  /** The cookie by which a browser is known, whatever it is worth. */
  readonly deviceToken: string | null;
  audit(change: VisitorChange): Promise<void>;
  /** Throws what the request would be refused with if it came now: asked just before a change to who is signed in. */
  checkStill(): Promise<void>;
}

export interface VisitorChange extends Pick<NewAuditEntry, 'action' | 'subject' | 'before' | 'after' | 'accountId'> {
  /** The visitor, as far as it is known, when absent. */
  readonly actor?: AuditActor;
}

/** A change to a person that the person made. */
export function personalChange(
  user: User,
  action: string,
  after: Readonly<Record<string, unknown>> | null = null,
): VisitorChange & { readonly actor: AuditActor } {
  return { ...changeTo(user, action, after), actor: { kind: 'user', id: user.id, name: user.email } };
}

/** A change to a person by whoever asks. */
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
