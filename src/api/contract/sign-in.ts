/** Routes that need no session: set-up, sign-up, sign-in, invitations, forgotten passwords. */
import * as z from 'zod';
import { isPlainText } from '../../accounts/plain-text.ts';
import { done, id, nothing, time } from './fields.ts';
import { nameInput } from './inputs/text-input.ts';
import { declare } from './route.ts';

export const role = z.enum(['owner', 'admin', 'developer', 'viewer']);
export const emailInput = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .regex(/^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+$/, 'it must be an email address')
  .refine(isPlainText, 'it must be an email address');
/** At least 12 characters, spaces included; no other rule applies here. */
export const newPassword = z.string().min(12).max(1024);
const password = z.string().min(1).max(1024);
/** Of a one-use link. */
const token = z.string().min(20).max(200);
const nobody = { needs: 'nobody', doors: ['dashboard'], params: nothing, query: nothing } as const;

const signedIn = z.strictObject({
  data: z.strictObject({
    /** `totp_required`: the password was correct; send the code to `POST /session/totp`. */
    status: z.enum(['signed_in', 'totp_required']),
  }),
});

const session = z.strictObject({
  data: z.strictObject({
    /** Null if nobody is signed in. */
    user: z
      .strictObject({
        id,
        email: z.string(),
        name: z.string(),
        is_operator: z.boolean(),
        totp: z.boolean(),
      })
      .nullable(),
    /** Whether the password was sent and the code of the second factor is still missing. */
    awaits_totp: z.boolean(),
    /**
     * The default one first; open ones before closed ones, the person's own before others. An operator gets all accounts with the role
     * `owner`, but at most 200.
     */
    accounts: z.array(z.strictObject({ id, name: z.string(), role, closed: z.boolean() })),
    /** Whether there are more accounts for an operator (`GET /accounts`). */
    more_accounts: z.boolean(),
    installation: z.strictObject({
      version: z.string(),
      /** False until the first operator is created with the set-up link. */
      set_up: z.boolean(),
      sign_up: z.enum(['open', 'invitation', 'off']),
      /** Whether somebody who is not signed in sees the models: `GET /api/public/models`. */
      public_models: z.boolean(),
      /** Whether emails are sent; otherwise people pass links on themselves. */
      mail: z.boolean(),
      billing_mode: z.enum(['prepaid', 'postpaid', 'off']),
      /** The base URL before `/api/v1` and `/v1/messages`. */
      base_url: z.string(),
    }),
  }),
});

export const signInRoutes = {
  readSession: declare({
    ...nobody,
    method: 'GET',
    path: '/session',
    summary: 'Get the session and facts about this installation',
    body: nothing,
    answer: session,
  }),
  signIn: declare({
    ...nobody,
    method: 'POST',
    path: '/session',
    summary: 'Sign in with email and password',
    body: z.strictObject({ email: emailInput, password }),
    answer: signedIn,
  }),
  signInWithCode: declare({
    ...nobody,
    method: 'POST',
    path: '/session/totp',
    summary: 'Finish signing in with an authenticator code or a recovery code',
    body: z.strictObject({ code: z.string().trim().min(6).max(40) }),
    answer: signedIn,
  }),
  signOut: declare({
    ...nobody,
    method: 'DELETE',
    path: '/session',
    summary: 'Sign out',
    body: nothing,
    answer: done,
  }),
  readLink: declare({
    ...nobody,
    method: 'POST',
    path: '/links',
    summary: 'Get the purpose of a one-use link, without using it',
    body: z.strictObject({ token }),
    answer: z.strictObject({
      data: z.strictObject({
        purpose: z.enum(['setup', 'invitation', 'password', 'email']),
        email: z.string().nullable(),
        account: z.string().nullable(),
        role: role.nullable(),
        expires_at: time,
      }),
    }),
  }),
  setUp: declare({
    ...nobody,
    method: 'POST',
    path: '/setup',
    summary: 'Create the first operator with the setup link, and sign in',
    body: z.strictObject({ token, email: emailInput, name: nameInput, password: newPassword }),
    answer: signedIn,
  }),
  signUp: declare({
    ...nobody,
    method: 'POST',
    path: '/sign-up',
    summary: 'Sign up; a link is emailed whether or not the address is known',
    body: z.strictObject({ email: emailInput, name: nameInput, password: newPassword }),
    answer: done,
    status: 202,
  }),
  confirmEmail: declare({
    ...nobody,
    method: 'POST',
    path: '/sign-up/confirm',
    summary: 'Confirm the address with the emailed link, and sign in',
    body: z.strictObject({ token }),
    answer: signedIn,
  }),
  acceptInvitation: declare({
    ...nobody,
    method: 'POST',
    path: '/invitations/accept',
    summary: 'Accept an invitation, either as the signed-in person, or with name, email and password, then sign in',
    body: z.strictObject({
      token,
      email: emailInput.optional(),
      name: nameInput.optional(),
      password: newPassword.optional(),
    }),
    answer: z.strictObject({
      data: z.strictObject({
        status: z.enum(['signed_in', 'sign_in']).meta({
          description:
            'The same whether or not the address has an account: `sign_in` with the given password, or with your existing one.',
        }),
      }),
    }),
  }),
  forgotPassword: declare({
    ...nobody,
    method: 'POST',
    path: '/password/forgotten',
    summary: 'Request a password reset link; the response is the same for every address',
    body: z.strictObject({ email: emailInput }),
    answer: done,
    status: 202,
  }),
  resetPassword: declare({
    ...nobody,
    method: 'POST',
    path: '/password/reset',
    summary: 'Set a new password with a link; ends all sessions',
    body: z.strictObject({ token, password: newPassword }),
    answer: signedIn,
  }),
};
