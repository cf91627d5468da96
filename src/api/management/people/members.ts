/** Handlers for an account's members and invitations. */

import { checkOpen } from '../../../accounts/check-open.ts';
import type { KeyRegistry } from '../../../accounts/key-registry.ts';
import { type Makers, makersOfPerson } from '../../../accounts/made-by.ts';
import { isoTime } from '../../../core/calendar.ts';
import type { Clock } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import { KEYS_GIVE_AT_MOST } from '../../../members/inviting-keys.ts';
import type { EndAdmin, Member, MemberActor, Members } from '../../../members/members.ts';
import type { Link, LinkId, UserId } from '../../../members/ports.ts';
import { isAtLeast } from '../../../members/roles.ts';
import type { memberRoutes } from '../../contract/members.ts';
import type { Context, Handlers } from '../door/handler.ts';
import { describeKeysMade, endMade, noteRevoked } from '../keys/made-by.ts';
import { invitationsBy } from './made-invitations.ts';

export interface MemberServices {
  readonly members: Pick<Members, 'list' | 'find' | 'changeRole' | 'remove' | 'invitations' | 'invite' | 'withdraw'>;
  readonly keys: Pick<KeyRegistry, 'revokeManagementKeys' | 'revokeMadeBy' | 'newestFirst' | 'scopes'>;
  readonly clock: Pick<Clock, 'now'>;
  /** The URL of the page that accepts an invitation; the token comes after `#`, so that it appears in no log. */
  invitationUrl(token: string): string;
  /** Whether it was emailed: false without a mail server, or if it did not accept the email in time. Does not throw. */
  mailInvitation(mail: InvitationMail): Promise<boolean>;
}

export interface InvitationMail {
  readonly to: string;
  readonly account: string;
  readonly role: string;
  /** Contains the token: use it only in the email, never store it. */
  readonly url: string;
  readonly expiresAt: number;
  /** Null if the inviter is not a person. */
  readonly invitedBy: string | null;
}

export function memberHandlers(services: MemberServices): Handlers<typeof memberRoutes> {
  const { members } = services;
  return {
    listMembers: async ({ account }) => ({ data: (await members.list(account.id)).map(describeMember) }),

    updateMember: async (context, { params, body }) => {
      const before = await members.find(context.account.id, readUserId(params.user));
      const after = await members.changeRole(
        actorOf(context),
        before,
        body.role,
        endAdmin(services, context),
        (member) =>
          context.audit({
            action: 'member.update',
            subject: subjectOf(member),
            before: { role: before.role },
            after: { role: member.role },
          }),
      );
      return { data: describeMember(after) };
    },

    removeMember: async (context, { params, query }) => {
      const { account } = context;
      const member = await members.find(account.id, readUserId(params.user));
      const isRevoked = query.with_made === 'true';
      if (isRevoked) checkMayRevokeMade(context, member);
      await members.remove(actorOf(context), member, endAdmin(services, context), () =>
        context.audit({
          action: 'member.delete',
          subject: subjectOf(member),
          before: { role: member.role },
          after: null,
        }),
      );
      const makers = await makersOf(services, context, member);
      const made = await endMade(services, account.id, { makers, isRevoked }, (change) => context.audit(change));
      return { data: { done: true }, made };
    },

    readMemberMade: async (context, { params }) => {
      const { account } = context;
      const makers = await makersOf(services, context, await members.find(account.id, readUserId(params.user)));
      const made = await describeKeysMade(services, account.id, makers);
      return { data: { ...made, invitations: await invitationsBy(members, account.id, makers) } };
    },

    listInvitations: async ({ account }) => ({
      data: (await members.invitations(account.id)).map(({ link, createdBy }) => describeInvitation(link, createdBy)),
    }),

    createInvitation: async (context, { body }) => {
      const { account } = context;
      checkOpen(account);
      const asked = { email: body.email ?? null, role: body.role };
      const { link, token } = await members.invite(actorOf(context), account.id, asked, (made) =>
        context.audit({
          action: 'invitation.create',
          subject: subjectOfInvitation(made),
          before: null,
          after: { role: made.role, expires_at: isoTime(made.expiresAt) },
        }),
      );
      const invitedBy = nameOf(context);
      const url = services.invitationUrl(token);
      const { email, expiresAt } = link;
      const mailed =
        email !== null &&
        (await services.mailInvitation({
          to: email,
          account: account.name,
          role: body.role,
          url,
          expiresAt,
          invitedBy,
        }));
      return { data: describeInvitation(link, invitedBy), link: url, mailed };
    },

    deleteInvitation: async (context, { params }) => {
      const id = readId(params.invitation) as LinkId;
      await members.withdraw(actorOf(context), context.account.id, id, (link) =>
        context.audit({
          action: 'invitation.delete',
          subject: subjectOfInvitation(link),
          before: { role: link.role },
          after: null,
        }),
      );
      return { data: { done: true } };
    },
  };
}

function actorOf(context: Context): MemberActor {
  const { actor, role, isOperator } = context;
  const userId = actor.kind === 'user' ? actor.user.id : null;
  const keyId = actor.kind === 'key' ? actor.key.id : null;
  const asked = { userId, keyId, role, isOperator, checkStill: () => context.checkStill() };
  return actor.kind === 'key' ? { ...asked, givesAtMost: KEYS_GIVE_AT_MOST } : asked;
}

/** The person, and the management keys that they created in the account. */
function makersOf({ keys }: MemberServices, { account }: Context, { userId }: Member): Promise<Makers> {
  return makersOfPerson(keys.newestFirst(), account.id, `user:${userId}`);
}

/** A leaving member may revoke the keys they created only if they could revoke them one by one. */
function checkMayRevokeMade({ role, actor }: Context, { userId }: Member): void {
  const isLeaving = actor.kind === 'user' && actor.user.id === userId;
  if (isLeaving && !isAtLeast(role, 'admin'))
    throw new GatewayError('permission_denied', {
      message: 'Revoke your keys one by one before you leave; only admins can revoke them all together.',
    });
}

/** The name of the maker in invitations. */
function nameOf({ actor }: Context): string | null {
  if (actor.kind === 'user') return actor.user.email;
  return actor.kind === 'key' ? actor.key.name : null;
}

/** Revokes their management keys, which would otherwise keep the rights of an admin. */
function endAdmin({ keys }: MemberServices, context: Context): EndAdmin {
  return async (account, userId) => {
    const note = noteRevoked((entry) => context.audit(entry));
    await keys.revokeManagementKeys(account, `user:${userId}`, note);
  };
}

function readUserId(text: string): UserId {
  return readId(text) as UserId;
}

/** Throws `not_found` for an invalid id. */
function readId(text: string): number {
  if (/^[1-9]\d{0,15}$/.test(text)) return Number(text);
  throw new GatewayError('not_found', { message: 'Nothing has this id.' });
}

function describeMember({ user, role, joinedAt, lastSeenAt }: Member) {
  return {
    user: { id: user.id, email: user.email, name: user.name, totp: user.totpConfirmedAt !== null },
    role,
    joined_at: isoTime(joinedAt),
    last_seen_at: isoTime(lastSeenAt),
  };
}

function describeInvitation({ id, email, role, createdAt, expiresAt }: Link, createdBy: string | null) {
  return {
    id,
    email,
    role: role ?? ('viewer' as const),
    created_at: isoTime(createdAt),
    created_by: createdBy,
    expires_at: isoTime(expiresAt),
  };
}

function subjectOf({ user }: Member) {
  return { kind: 'member', id: String(user.id), name: user.email };
}

function subjectOfInvitation({ id, email }: Link) {
  return { kind: 'invitation', id: String(id), name: email };
}
