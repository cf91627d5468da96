/** Routes of the current account, including closing it, and, for operators, of all accounts. */
import * as z from 'zod';
import { NAME_LENGTH_MAX } from '../../accounts/plain-text.ts';
import {
  accountQuery,
  count,
  done,
  id,
  limitsOut,
  nothing,
  permissionsOut,
  time,
  timeOrNull,
  usdOrNull,
  usdOut,
} from './fields.ts';
import { limitsInput, permissionsInput } from './inputs/limits-input.ts';
import { ratesInput, ratesOut } from './inputs/rates-input.ts';
import { nameInput } from './inputs/text-input.ts';
import { declare } from './route.ts';

const capture = z.strictObject({
  /** Whether the bodies of calls are stored. */
  on: z.boolean(),
  /** Days until they are deleted. */
  retention_days: z.int().min(1).max(90),
  /** Whether text that looks like an email address, a card number or a key is redacted before it is stored. */
  redact: z.boolean(),
});

export const accountOut = z.strictObject({
  id,
  name: z.string(),
  created_at: time,
  closed_at: timeOrNull,
  billing_mode: z.enum(['prepaid', 'postpaid', 'off']),
  limits: limitsOut,
  permissions: permissionsOut,
  /** What it is charged above or below the list price, in percent. */
  rates: ratesOut,
  capture,
});
const one = z.strictObject({ data: accountOut });

export const accountRoutes = {
  readAccount: declare({
    method: 'GET',
    path: '/account',
    summary: 'Get the account',
    needs: 'viewer',
    doors: ['dashboard', 'management', 'control'],
    params: nothing,
    query: accountQuery,
    body: nothing,
    answer: one,
  }),
  updateAccount: declare({
    method: 'PATCH',
    path: '/account',
    summary: 'Update the name or data retention of the account',
    needs: 'owner',
    doors: ['dashboard', 'control'],
    params: nothing,
    query: accountQuery,
    body: z.strictObject({ name: nameInput.optional(), capture: capture.partial().optional() }),
    answer: one,
  }),
  closeAccount: declare({
    method: 'POST',
    path: '/account/close',
    summary: 'Close the account: revokes its keys; reports stay',
    needs: 'owner',
    doors: ['dashboard', 'control'],
    params: nothing,
    query: accountQuery,
    /** The account's name, to confirm. */
    body: z.strictObject({ name: z.string().max(NAME_LENGTH_MAX) }),
    answer: one,
  }),
  listAccounts: declare({
    method: 'GET',
    path: '/accounts',
    summary: 'List all accounts',
    needs: 'operator',
    doors: ['dashboard', 'control'],
    params: nothing,
    query: nothing,
    body: nothing,
    answer: z.strictObject({
      data: z.array(
        accountOut.extend({ balance: usdOrNull, usage: usdOut, usage_monthly: usdOut, members: count, keys: count }),
      ),
    }),
  }),
  createAccount: declare({
    method: 'POST',
    path: '/accounts',
    summary: 'Create an account with a first project',
    needs: 'operator',
    doors: ['dashboard', 'control'],
    params: nothing,
    query: nothing,
    body: z.strictObject({ name: nameInput }),
    answer: one,
    status: 201,
    idempotent: true,
  }),
  limitAccount: declare({
    method: 'PATCH',
    path: '/accounts/:account',
    summary: 'Set the name, limits, permissions and rates of an account',
    needs: 'operator',
    doors: ['dashboard', 'control'],
    params: z.strictObject({ account: z.string().max(80) }),
    query: nothing,
    body: z.strictObject({
      name: nameInput.optional(),
      limits: limitsInput.default({}),
      permissions: permissionsInput.default({}),
      rates: ratesInput.default({}),
    }),
    answer: one,
  }),
  deleteCaptures: declare({
    method: 'DELETE',
    path: '/account/captures',
    summary: 'Delete all stored prompts and responses of the account',
    needs: 'admin',
    doors: ['dashboard', 'management', 'control'],
    params: nothing,
    query: accountQuery,
    body: nothing,
    answer: done,
  }),
};
