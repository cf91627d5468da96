/** Routes of an account's members and invitations. */
import * as z from 'zod';
import { accountQuery, done, id, nothing, time, timeOrNull } from './fields.ts';
import { madeOut, revocationOut, withMade } from './made.ts';
import { declare } from './route.ts';
import { emailInput, role } from './sign-in.ts';

const memberOut = z.strictObject({
  user: z.strictObject({ id, email: z.string(), name: z.string(), totp: z.boolean() }),
  role,
  joined_at: time,
  /** When one of their sessions was last used. */
  last_seen_at: timeOrNull,
});
const invitationOut = z.strictObject({
  id,
  /** The address that it is for; null if anyone with the link may accept it. */
  email: z.string().nullable(),
  role,
  created_at: time,
  created_by: z.string().nullable(),
  expires_at: time,
});
const doors = ['dashboard', 'management', 'control'] as const;
const memberParams = z.strictObject({ user: z.string().max(80) });

export const memberRoutes = {
  listMembers: declare({
    method: 'GET',
    path: '/members',
    summary: 'List members of the account',
    needs: 'viewer',
    doors,
    params: nothing,
    query: accountQuery,
    body: nothing,
    answer: z.strictObject({ data: z.array(memberOut) }),
  }),
  updateMember: declare({
    method: 'PATCH',
    path: '/members/:user',
    summary: 'Change the role of a member; only owners can add or remove owners',
    needs: 'admin',
    doors,
    params: memberParams,
    query: accountQuery,
    body: z.strictObject({ role }),
    answer: z.strictObject({ data: memberOut }),
  }),
  removeMember: declare({
    method: 'DELETE',
    path: '/members/:user',
    summary: 'Remove a member from the account; members can also leave',
    needs: 'viewer',
    doors,
    params: memberParams,
    query: accountQuery.extend({ with_made: withMade }),
    body: nothing,
    answer: z.strictObject({ data: z.strictObject({ done: z.literal(true) }), made: revocationOut }),
  }),
  readMemberMade: declare({
    method: 'GET',
    path: '/members/:user/made',
    summary: 'List what a member and their management keys created: active keys and pending invitations',
    needs: 'viewer',
    doors,
    params: memberParams,
    query: accountQuery,
    body: nothing,
    answer: z.strictObject({ data: madeOut }),
  }),
  listInvitations: declare({
    method: 'GET',
    path: '/invitations',
    summary: 'List pending invitations',
    needs: 'admin',
    doors,
    params: nothing,
    query: accountQuery,
    body: nothing,
    answer: z.strictObject({ data: z.array(invitationOut) }),
  }),
  createInvitation: declare({
    method: 'POST',
    path: '/invitations',
    summary: 'Invite a member; the link is returned once, and emailed if mail is configured',
    needs: 'admin',
    doors,
    params: nothing,
    query: accountQuery,
    body: z.strictObject({ email: emailInput.nullish(), role: role.default('developer') }),
    answer: z.strictObject({
      data: invitationOut,
      link: z.string(),
      mailed: z.boolean().meta({
        description:
          'False without a mail server or an address, or if the email was rejected or not accepted within 10 seconds (then it may still arrive).',
      }),
    }),
    status: 201,
    idempotent: true,
  }),
  deleteInvitation: declare({
    method: 'DELETE',
    path: '/invitations/:invitation',
    summary: 'Cancel an invitation',
    needs: 'admin',
    doors,
    params: z.strictObject({ invitation: z.string().max(80) }),
    query: accountQuery,
    body: nothing,
    answer: done,
  }),
};
