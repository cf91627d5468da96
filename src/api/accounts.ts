/** Accounts on the control plane: listed and changed. */
import * as z from 'zod';
import type { Account } from '../accounts/ports.ts';
import { usdLiteral } from '../core/money.ts';
import {
  changedLimits,
  changedPermissions,
  describeLimits,
  describePermissions,
  limitsInput,
  permissionsInput,
} from './contract/limits-input.ts';
import { nameInput } from './contract/text-input.ts';
import { findNamed } from './management/accounts/find-scope.ts';
import { accountUpdated } from './management/accounts/scope-changes.ts';
import { parseInput } from './reply-error.ts';
import type { ControlServices } from './services.ts';

type Services = Pick<ControlServices, 'scopes' | 'bank' | 'operations' | 'audit'>;

const accountChanges = z.strictObject({
  name: nameInput.optional(),
  limits: limitsInput.default({}),
  permissions: permissionsInput.default({}),
});

export async function listAccounts(services: Services) {
  const accounts = services.scopes.accounts();
  return { data: accounts.map((account) => describeAccount(services, account)), total_count: accounts.length };
}

/** By id or name. */
export async function updateAccount(services: Services, reference: string, body: unknown) {
  const request = parseInput(accountChanges, body ?? {});
  const { scopes, operations } = services;
  const account = findNamed(scopes.accounts(), reference, 'account');
  let before = account;
  const changed = await scopes.updateAccount(account.id, (standing) => {
    before = standing;
    return {
      ...(request.name === undefined ? {} : { name: request.name }),
      limits: changedLimits(standing.limits, request.limits),
      permissions: changedPermissions(standing.permissions, request.permissions, operations),
    };
  });
  const told = changed === null ? null : accountUpdated(before, changed);
  if (told !== null) await services.audit({ ...told, accountId: account.id });
  return { data: describeAccount(services, changed ?? account) };
}

function describeAccount({ bank }: Services, account: Account) {
  return {
    id: account.id,
    name: account.name,
    billing_mode: bank.mode,
    created_at: new Date(account.createdAt).toISOString(),
    closed_at: account.closedAt === null ? null : new Date(account.closedAt).toISOString(),
    balance: usdLiteral(bank.balanceOf(account.id)?.balance ?? null),
    spent: usdLiteral(bank.spent('account', account.id, 'total')),
    limits: describeLimits(account.limits),
    permissions: describePermissions(account.permissions),
  };
}
