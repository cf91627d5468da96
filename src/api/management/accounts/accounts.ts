/** Handlers for the current account, including closing it, and, for operators, all accounts. */
import { checkOpen } from '../../../accounts/check-open.ts';
import type { Closing, NoteClosing } from '../../../accounts/close-account.ts';
import type { KeyRegistry } from '../../../accounts/key-registry.ts';
import type { Account, AccountChanges, CaptureSettings } from '../../../accounts/ports.ts';
import type { ScopeRegistry } from '../../../accounts/scope-registry.ts';
import type { Bank } from '../../../billing/bank.ts';
import { balanceOf } from '../../../billing/money-view.ts';
import type { Clock } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { AccountId } from '../../../core/ids.ts';
import { usdLiteral } from '../../../core/money.ts';
import type { MembershipStore } from '../../../members/ports.ts';
import type { accountRoutes } from '../../contract/accounts.ts';
import type { Change, Context, Handlers } from '../door/handler.ts';
import { countGoodKeys } from '../keys/good-keys.ts';
import { findNamed } from './find-scope.ts';
import { changedLimits, changedPermissions, describeLimits, describePermissions } from './limits.ts';
import { changedRates, describeRates, type ModelIdOf } from './rates.ts';
import { accountUpdated, describeCapture } from './scope-changes.ts';

export interface AccountServices {
  readonly scopes: Pick<ScopeRegistry, 'accounts' | 'projects' | 'createNamedAccount' | 'updateAccount'>;
  readonly keys: Pick<KeyRegistry, 'list'>;
  readonly bank: Pick<Bank, 'mode' | 'money'>;
  readonly memberships: Pick<MembershipStore, 'memberCounts'>;
  readonly captures: AccountCaptures;
  readonly clock: Clock;
  /** The names of operations, for permissions: `chat`. */
  readonly operations: readonly string[];
  readonly modelIdOf: ModelIdOf;
  /** `closeAccount` with its parts; null if there is no such account. */
  close(id: AccountId, note: NoteClosing): Promise<Closing | null>;
}

/** Stored bodies of an account's calls. */
export interface AccountCaptures {
  /** Applies settings that are already stored to the stored bodies. May be called again with the same settings. */
  settingsChanged(account: AccountId, settings: CaptureSettings): Promise<void>;
  /** Deletes all of them and returns their number. */
  deleteAllOf(account: AccountId): Promise<number>;
}

type Services = AccountServices;

export function accountHandlers(services: Services): Handlers<typeof accountRoutes> {
  const { scopes, captures, bank, operations } = services;
  return {
    readAccount: ({ account }) => ({ data: describeAccount(services, account) }),

    updateAccount: async (context, { body }) => {
      const { account } = context;
      checkOpen(account);
      const { name, capture } = body;
      const changed = await change(services, context, account, (current) => {
        checkOpen(current);
        return {
          ...(name === undefined ? {} : { name }),
          ...(capture === undefined ? {} : { capture: withChanges(current.capture, capture) }),
        };
      });
      // Also if nothing changed, in case the last time failed.
      if (capture !== undefined) await captures.settingsChanged(account.id, changed.capture);
      return { data: describeAccount(services, changed) };
    },

    closeAccount: async (context, { body }) => {
      const { account } = context;
      if (body.name !== account.name)
        throw new GatewayError('invalid_value', {
          message: "name: it must be this account's name, to confirm closing it.",
          param: 'name',
        });
      const closing = await services.close(account.id, async (marked) => {
        await context.checkStill();
        await context.audit(await closingChange(bank, marked));
      });
      if (closing === null) throw noAccount();
      return { data: describeAccount(services, closing.account) };
    },

    listAccounts: async () => ({ data: await describeAll(services) }),

    createAccount: async (context, { body }) => {
      const account = await context.change(async () => {
        const made = await scopes.createNamedAccount({ name: body.name });
        await context.audit({
          action: 'account.create',
          accountId: made.id,
          subject: subjectOf(made),
          before: null,
          after: { name: made.name },
        });
        return made;
      });
      return { data: describeAccount(services, account) };
    },

    limitAccount: async (context, { params, body }) => {
      const account = findNamed(scopes.accounts(), params.account, 'account');
      const changed = await change(services, context, account, ({ limits, permissions, rates }) => ({
        ...(body.name === undefined ? {} : { name: body.name }),
        limits: changedLimits(limits, body.limits),
        permissions: changedPermissions(permissions, body.permissions, operations),
        rates: changedRates(rates, body.rates, services.modelIdOf),
      }));
      return { data: describeAccount(services, changed) };
    },

    deleteCaptures: async (context) => {
      const { account } = context;
      const deleted = await captures.deleteAllOf(account.id);
      await context.auditDone({
        action: 'capture.delete',
        subject: subjectOf(account),
        before: null,
        after: { deleted },
      });
      return { data: { done: true } };
    },
  };
}

/** The audit entry of a closing; `wasClosed` if an earlier one was interrupted. */
export async function closingChange(bank: Pick<Bank, 'money'>, closing: Closing): Promise<Change> {
  const { account, wasClosed, keysRevoked, invitationsVoid, projectsArchived } = closing;
  const balance = await balanceOf(bank.money, account.id);
  return {
    action: 'account.close',
    accountId: account.id,
    subject: subjectOf(account),
    before: { closed: wasClosed },
    after: {
      closed: true,
      keys_revoked: keysRevoked,
      invitations_void: invitationsVoid,
      projects_archived: projectsArchived,
      // It stays in the ledger.
      balance: usdLiteral(balance?.balance ?? null),
    },
  };
}

/** Changes the account with an audit entry, and returns it. */
function change(
  { scopes }: Services,
  context: Pick<Context, 'change' | 'audit'>,
  { id }: Account,
  changesOf: (current: Account) => AccountChanges,
): Promise<Account> {
  return context.change(async () => {
    const changed = await scopes.updateAccount(id, changesOf);
    if (changed === null) throw noAccount();
    const entry = accountUpdated(changed.before, changed.after);
    if (entry !== null) await context.audit({ ...entry, accountId: id });
    return changed.after;
  });
}

async function describeAll(services: Services) {
  const { scopes, bank, keys, memberships, clock } = services;
  const members = await memberships.memberCounts();
  const keyCounts = await countGoodKeys(keys.list(), clock.now(), (key) => key.accountId);
  const accounts = scopes.accounts();
  const money = await bank.money.of(accounts.map(({ id }) => ({ scope: 'account', id })));
  return accounts.map((account, index) => ({
    ...describeAccount(services, account),
    balance: usdLiteral(money[index]?.balance?.balance ?? null),
    usage: usdLiteral(money[index]?.spent.total ?? null),
    usage_monthly: usdLiteral(money[index]?.spent.month ?? null),
    members: members.get(account.id) ?? 0,
    keys: keyCounts.get(account.id) ?? 0,
  }));
}

function describeAccount({ bank }: Pick<Services, 'bank'>, account: Account) {
  const { id, name, createdAt, closedAt, limits, permissions, rates, capture } = account;
  return {
    id,
    name,
    created_at: new Date(createdAt).toISOString(),
    closed_at: closedAt === null ? null : new Date(closedAt).toISOString(),
    billing_mode: bank.mode,
    limits: describeLimits(limits),
    permissions: describePermissions(permissions),
    rates: describeRates(rates),
    capture: describeCapture(capture),
  };
}

interface CaptureInput {
  readonly on?: boolean | undefined;
  readonly retention_days?: number | undefined;
  readonly redact?: boolean | undefined;
}

/** Absent fields stay. */
function withChanges(before: CaptureSettings, input: CaptureInput): CaptureSettings {
  return {
    on: input.on ?? before.on,
    retentionDays: input.retention_days ?? before.retentionDays,
    redact: input.redact ?? before.redact,
  };
}

function subjectOf({ id, name }: Account) {
  return { kind: 'account', id: String(id), name };
}

function noAccount(): GatewayError {
  return new GatewayError('not_found', { message: 'The account does not exist.', param: 'account' });
}
