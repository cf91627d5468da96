/** The account that is worked in, its closing, and, for operators, all accounts. */
import { checkOpen } from '../../../accounts/check-open.ts';
import type { Closing } from '../../../accounts/close-account.ts';
import type { KeyRegistry } from '../../../accounts/key-registry.ts';
import { OneAtATime } from '../../../accounts/one-at-a-time.ts';
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
import { changedLimits, changedPermissions, describeLimits, describePermissions } from '../../contract/limits-input.ts';
import type { Change, Context, Handlers } from '../door/handler.ts';
import { countGoodKeys } from '../keys/good-keys.ts';
import { findNamed } from './find-scope.ts';
import { accountUpdated, describeCapture } from './scope-changes.ts';

export interface AccountServices {
  readonly scopes: Pick<ScopeRegistry, 'accounts' | 'projects' | 'createAccount' | 'createProject' | 'updateAccount'>;
  readonly keys: Pick<KeyRegistry, 'list'>;
  readonly bank: Pick<Bank, 'mode' | 'money'>;
  readonly memberships: Pick<MembershipStore, 'memberCounts'>;
  readonly captures: AccountCaptures;
  readonly clock: Clock;
  /** The names of what routes do, for permissions: `chat`. */
  readonly operations: readonly string[];
  /** `closeAccount` with its parts: null when there is no such account. */
  close(id: AccountId): Promise<Closing | null>;
}

/** Bodies that are kept of an account's calls. */
export interface AccountCaptures {
  /** The settings are stored already: what is kept is to follow them. May be told the same again. */
  settingsChanged(account: AccountId, settings: CaptureSettings): Promise<void>;
  /** Removes all of them, and tells how many those were. */
  deleteAllOf(account: AccountId): Promise<number>;
}

type Services = AccountServices;

export function accountHandlers(services: Services): Handlers<typeof accountRoutes> {
  const { scopes, captures, bank, operations } = services;
  const creations = new OneAtATime();
  return {
    readAccount: ({ account }) => ({ data: describeAccount(services, account) }),

    updateAccount: async (context, { body }) => {
      const { account } = context;
      checkOpen(account);
      const { name, capture } = body;
      const { before, changed } = await change(services, context, account, (standing) => ({
        ...(name === undefined ? {} : { name }),
        ...(capture === undefined ? {} : { capture: withChanges(standing.capture, capture) }),
      }));
      // The log first: what is kept may be gone after the next line. Told again where nothing changed, should the last time have failed.
      const told = accountUpdated(before, changed);
      if (told !== null) await context.audit(told);
      if (capture !== undefined) await captures.settingsChanged(account.id, changed.capture);
      return { data: describeAccount(services, changed) };
    },

    closeAccount: async (context, { body }) => {
      const { account } = context;
      if (body.name !== account.name)
        throw new GatewayError('invalid_value', {
          message: "name: it is not this account's name, which says that the closing is meant.",
          param: 'name',
        });
      await context.checkStill();
      const closing = await services.close(account.id);
      if (closing === null) throw noAccount();
      await context.audit(await closingChange(bank, closing, account.closedAt !== null));
      return { data: describeAccount(services, closing.account) };
    },

    listAccounts: async () => ({ data: await describeAll(services) }),

    createAccount: async (context, { body }) => {
      // Two of one name at once would both find it free.
      const account = await creations.run(async () => {
        const made = await makeOrTakeUp(services, context, body.name);
        await scopes.createProject({ accountId: made.id, name: FIRST_PROJECT });
        return made;
      });
      await context.audit({
        action: 'account.create',
        accountId: account.id,
        subject: subjectOf(account),
        before: null,
        after: { name: account.name },
      });
      return { data: describeAccount(services, account) };
    },

    limitAccount: async (context, { params, body }) => {
      const account = findNamed(scopes.accounts(), params.account, 'account');
      const { before, changed } = await change(services, context, account, ({ limits, permissions }) => ({
        ...(body.name === undefined ? {} : { name: body.name }),
        limits: changedLimits(limits, body.limits),
        permissions: changedPermissions(permissions, body.permissions, operations),
      }));
      const told = accountUpdated(before, changed);
      if (told !== null) await context.audit({ ...told, accountId: account.id });
      return { data: describeAccount(services, changed) };
    },

    deleteCaptures: async (context) => {
      const { account } = context;
      const deleted = await captures.deleteAllOf(account.id);
      await context.audit({
        action: 'capture.delete',
        subject: subjectOf(account),
        before: null,
        after: { deleted },
      });
      return { data: { done: true } };
    },
  };
}

/** What the audit log tells of a closing; `wasClosed` where an earlier one had been cut off. */
export async function closingChange(bank: Pick<Bank, 'money'>, closing: Closing, wasClosed: boolean): Promise<Change> {
  const { account, keysRevoked, invitationsVoid, projectsArchived } = closing;
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

const FIRST_PROJECT = 'Default';

type Asking = Pick<Context, 'checkStill'>;

/** One without a project was left by a creation that a crash cut off. */
async function makeOrTakeUp({ scopes }: Services, context: Asking, name: string): Promise<Account> {
  const known = scopes.accounts().find((each) => each.name === name && each.closedAt === null);
  if (known === undefined) return scopes.createAccount({ name }, () => context.checkStill());
  if (scopes.projects().some(({ accountId }) => accountId === known.id))
    throw new GatewayError('conflict', { message: 'There is an account of this name.', param: 'name' });
  return known;
}

/** `before` is what the account was when it was changed, which may be later than when it was asked for. */
async function change(
  { scopes }: Services,
  context: Asking,
  { id }: Account,
  changesOf: (standing: Account) => AccountChanges,
): Promise<{ readonly before: Account; readonly changed: Account }> {
  let before: Account | null = null;
  const changed = await scopes.updateAccount(
    id,
    (standing) => {
      before = standing;
      return changesOf(standing);
    },
    () => context.checkStill(),
  );
  if (before === null || changed === null) throw noAccount();
  return { before, changed };
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
  const { id, name, createdAt, closedAt, limits, permissions, capture } = account;
  return {
    id,
    name,
    created_at: new Date(createdAt).toISOString(),
    closed_at: closedAt === null ? null : new Date(closedAt).toISOString(),
    billing_mode: bank.mode,
    limits: describeLimits(limits),
    permissions: describePermissions(permissions),
    capture: describeCapture(capture),
  };
}

interface CaptureInput {
  readonly on?: boolean | undefined;
  readonly retention_days?: number | undefined;
  readonly redact?: boolean | undefined;
}

/** What is absent stays. */
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
  return new GatewayError('not_found', { message: 'There is no such account.', param: 'account' });
}
