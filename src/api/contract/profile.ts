/** Routes of a person's own name, password, second factor and sessions. */
import * as z from 'zod';
import { done, id, nothing, time } from './fields.ts';
import { nameInput } from './inputs/text-input.ts';
import { declare } from './route.ts';
import { newPassword } from './sign-in.ts';

const password = z.string().min(1).max(1024);
const code = z.string().trim().min(6).max(40);
const user = { needs: 'user', doors: ['dashboard'], params: nothing, query: nothing } as const;

const profile = z.strictObject({
  data: z.strictObject({
    id,
    email: z.string(),
    name: z.string(),
    is_operator: z.boolean(),
    totp: z.boolean(),
    recovery_codes_left: z.int(),
    created_at: time,
  }),
});
const recoveryCodes = z.strictObject({
  data: z.strictObject({
    recovery_codes: z.array(z.string()).meta({ description: 'Returned only once; each works once.' }),
  }),
});

export const profileRoutes = {
  readProfile: declare({
    ...user,
    method: 'GET',
    path: '/profile',
    summary: 'Get the profile of the person who is signed in',
    body: nothing,
    answer: profile,
  }),
  updateProfile: declare({
    ...user,
    method: 'PATCH',
    path: '/profile',
    summary: 'Update the name',
    body: z.strictObject({ name: nameInput }),
    answer: profile,
  }),
  changePassword: declare({
    ...user,
    method: 'POST',
    path: '/profile/password',
    summary: 'Change the password; ends every other session',
    body: z.strictObject({ current_password: password, new_password: newPassword }),
    answer: done,
  }),
  startTotp: declare({
    ...user,
    method: 'POST',
    path: '/profile/totp',
    summary: 'Start setting up an authenticator: returns a secret, active once a code confirms it',
    body: z.strictObject({ password }),
    answer: z.strictObject({
      data: z.strictObject({
        secret: z.string().meta({ description: 'Base32.' }),
        uri: z.string().meta({ description: 'otpauth://…' }),
        /** The URI as a QR code: rows of `0` and `1`, without a margin. */
        qr: z.array(z.string()),
      }),
    }),
  }),
  confirmTotp: declare({
    ...user,
    method: 'POST',
    path: '/profile/totp/confirm',
    summary: 'Confirm the authenticator with a code',
    body: z.strictObject({ code }),
    answer: recoveryCodes,
  }),
  removeTotp: declare({
    ...user,
    method: 'POST',
    path: '/profile/totp/remove',
    summary: 'Remove the authenticator',
    body: z.strictObject({ password, code }),
    answer: done,
  }),
  renewRecoveryCodes: declare({
    ...user,
    method: 'POST',
    path: '/profile/recovery-codes',
    summary: 'Replace the recovery codes',
    body: z.strictObject({ code }),
    answer: recoveryCodes,
  }),
  listSessions: declare({
    ...user,
    method: 'GET',
    path: '/profile/sessions',
    summary: 'List sessions of the person',
    body: nothing,
    answer: z.strictObject({
      data: z.array(
        z.strictObject({
          id,
          is_current: z.boolean(),
          created_at: time,
          last_seen_at: time,
          expires_at: time,
          ip: z.string().nullable(),
          user_agent: z.string().nullable(),
        }),
      ),
    }),
  }),
  endSession: declare({
    ...user,
    method: 'DELETE',
    path: '/profile/sessions/:session',
    summary: 'End a session',
    params: z.strictObject({ session: z.string().max(80) }),
    body: nothing,
    answer: done,
  }),
  endOtherSessions: declare({
    ...user,
    method: 'DELETE',
    path: '/profile/sessions',
    summary: 'End all other sessions',
    body: nothing,
    answer: done,
  }),
};
