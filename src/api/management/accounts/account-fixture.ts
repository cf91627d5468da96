/** For tests of members, accounts, projects and the audit log: real registries and stores over a database; routes take an actor. */
import { closeAccount } from '../../../accounts/close-account.ts';
import { KeyRegistry } from '../../../accounts/key-registry.ts';
import type { Key } from '../../../accounts/keys.ts';
import { openMirror } from '../../../accounts/open-mirror.ts';
import type { AccountStore, AccountTopics } from '../../../accounts/ports.ts';
import { ScopeRegistry } from '../../../accounts/scope-registry.ts';
import { Pepper } from '../../../accounts/secret/pepper.ts';
import { LedgerBank } from '../../../billing/ledger-bank.ts';
import { MemoryLedger } from '../../../billing/memory-ledger.ts';
import type { ManualClock } from '../../../core/clock.ts';
import type { Feed } from '../../../core/feed.ts';
import { type AccountId, accountId, type KeyId, type ProjectId, projectId } from '../../../core/ids.ts';
import { Secret } from '../../../core/secret.ts';
import type { Transactions } from '../../../core/transactions.ts';
import { AuditLog } from '../../../members/audit-log.ts';
import { Members } from '../../../members/members.ts';
import { MemoryAttempts } from '../../../members/memory-attempts.ts';
import type { AuditStore, MembershipStore, Role, SessionId, User, UserStore } from '../../../members/ports.ts';
import { accountRoutes } from '../../contract/accounts.ts';
import { auditRoutes } from '../../contract/audit.ts';
import { memberRoutes } from '../../contract/members.ts';
import { projectRoutes } from '../../contract/projects.ts';
import type { Declared } from '../../contract/route.ts';
import { parseInput } from '../../parse-input.ts';
import { checkStanding, chooseAccount, isRole } from '../door/choose-account.ts';
import type { Actor, Handler } from '../door/handler.ts';
import { RequestContext } from '../door/request-context.ts';
import { type InvitationMail, memberHandlers } from '../people/members.ts';
import { auditHandlers } from '../reports/audit.ts';
import { accountHandlers } from './accounts.ts';
import { projectHandlers } from './projects.ts';

const routes = { ...memberRoutes, ...accountRoutes, ...auditRoutes, ...projectRoutes };

export type RouteName = keyof typeof routes;

export interface Question {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

export const [ACME, OTHER] = [accountId(1), accountId(2)];
const LINK_MS = 86_400_000;

export type AccountFixture = Awaited<ReturnType<typeof accountsOn>>;

export interface FixtureStores {
  readonly accounts: AccountStore;
  readonly transactions: Transactions;
  readonly feed: Feed<AccountTopics>;
  readonly users: UserStore;
  readonly memberships: MembershipStore;
  readonly audit: AuditStore;
  readonly clock: ManualClock;
}

/** Accounts `Acme` (1) and `Other` (2), each with a project `Default` of the same number; nobody is a member yet. */
export async function accountsOn(stores: FixtureStores) {
  const { accounts: store, transactions, feed, users, memberships, audit: auditStore, clock } = stores;
  const pepper = new Pepper(new Secret('5a'.repeat(32)));
  const mirror = await openMirror({ store, feed }, pepper, clock.now());
  const cut: number[] = [];
  feed.subscribe('cut', (id) => cut.push(id));
  const keys = new KeyRegistry({ store, transactions, mirror, pepper, clock });
  const scopes = new ScopeRegistry({ store, transactions, mirror: mirror.scopes, clock });
  const ledger = new MemoryLedger(clock.now());
  const loaded = await ledger.load();
  const bank = new LedgerBank({ store: ledger, loaded, mode: 'prepaid', clock, isWritable: () => true });
  for (const name of ['Acme', 'Other']) {
    const { id } = await scopes.createAccount({ name });
    await scopes.createProject({ accountId: id, name: 'Default' });
  }

  let links = 0;
  const invitingKeys = {
    mayInvite: (id: KeyId, account: AccountId) => keys.isUsable(id) && keys.get(id)?.accountId === account,
    mayStillInvite: async (id: KeyId, account: AccountId) =>
      keys.isUsable(id) && keys.get(id)?.accountId === account && (await keys.isStillGood(id)),
    nameOf: (id: KeyId) => keys.get(id)?.name ?? null,
  };
  const members = new Members({
    memberships,
    transactions,
    users,
    keys: invitingKeys,
    clock,
    counts: new MemoryAttempts(clock),
    newLink: async ({ purpose, accountId: account, role, email, createdBy, createdByKey }) => {
      links += 1;
      const createdAt = clock.now();
      const fields = { purpose, accountId: account, role, email, createdBy, createdByKey };
      const rest = { createdAt, userId: null, signUp: null };
      const link = await users.createLink(
        { ...fields, ...rest, expiresAt: createdAt + LINK_MS },
        Buffer.alloc(32, links),
      );
      return { link, token: `token-${links}` };
    },
    endSessionsOf: (user) => users.deleteSessionsOf(user, null),
  });
  const mails: InvitationMail[] = [];
  const captures: unknown[] = [];
  const operations = ['chat'];
  const handlers: Record<RouteName, unknown> = {
    ...memberHandlers({
      members,
      keys,
      clock,
      invitationUrl: (token) => `https://gateway.test/#invitation=${token}`,
      mailInvitation: async (mail) => {
        mails.push(mail);
        return true;
      },
    }),
    ...accountHandlers({
      scopes,
      keys,
      bank,
      memberships,
      captures: {
        settingsChanged: async (account, settings) => void captures.push({ account, ...settings }),
        deleteAllOf: async (account) => captures.push({ account, deleted: 'all' }),
      },
      clock,
      operations,
      modelIdOf: (name) => (name.startsWith('acme/') ? name : null),
      close: (id, note) =>
        closeAccount(
          { transactions, scopes, keys, voidInvitations: (account) => members.voidInvitations(account) },
          id,
          note,
        ),
    }),
    ...auditHandlers({ audit: auditStore }),
    ...projectHandlers({ scopes, keys, bank, clock, operations }),
  };
  const log = new AuditLog(auditStore);

  /** The answer of a route to an actor, as on the wire; throws the handler's errors. */
  const ask = async (actor: Actor, name: RouteName, { params, query, body }: Question = {}) => {
    const route: Declared = routes[name];
    const asked = parseInput(route.query, texts(query)) as { readonly account?: number };
    if (!isRole(route.needs)) checkStanding(actor, null, route.needs, route.method);
    const parts = { accounts: mirror.scopes, memberships };
    const standing = isRole(route.needs) ? await chooseAccount(actor, asked.account, parts) : null;
    checkStanding(actor, standing, route.needs, route.method);
    const facts = { ip: '192.0.2.7', userAgent: null, requestId: 'req_1', sessionToken: null, deviceToken: null };
    const gone = new AbortController().signal;
    const context = new RequestContext(
      { ...facts, actor, standing, gone },
      { clock, auditLog: log, transactions, setCookie: null, setDevice: null, checkStill: async () => undefined },
    );
    const input = {
      params: parseInput(route.params, texts(params)),
      query: asked,
      body: parseInput(route.body, body ?? {}),
    };
    const answer = await (handlers[name] as Handler<Declared>)(context, input as never);
    return JSON.parse(JSON.stringify(parseInput(route.answer, answer)));
  };

  let people = 0;
  /** A person with a session. */
  const person = async (name = `person-${people + 1}`, isOperator = false): Promise<User> => {
    people += 1;
    const email = `${name}@example.com`;
    const createdAt = clock.now();
    const user = await users.createUser({
      email,
      name,
      passwordHash: null,
      isOperator,
      createdAt,
      emailConfirmedAt: 0,
    });
    if (user === null) throw new Error(`there is a ${name} already`);
    await users.createSession(
      { ...SESSION, userId: user.id, createdAt, lastSeenAt: createdAt },
      Buffer.alloc(32, people),
    );
    return user;
  };
  const member = async (role: Role, account: AccountId = ACME, name?: string): Promise<User> => {
    const user = await person(name);
    await memberships.putMembership({ accountId: account, userId: user.id, role, joinedAt: clock.now() });
    return user;
  };
  const key = async (project: ProjectId = projectId(1), kind: Key['kind'] = 'inference'): Promise<Key> =>
    (await keys.create({ projectId: project, name: null, kind })).key;
  const roleOf = async (user: User, account: AccountId = ACME): Promise<Role | null> =>
    (await memberships.membershipsOf(user.id)).find((each) => each.accountId === account)?.role ?? null;
  const auditEntries = async () =>
    (await auditStore.list({ accountId: null, before: null, limit: 100, action: null, actorId: null })).toReversed();
  return {
    ...{ ...stores, members, scopes, keys, bank, mirror },
    ...{ mails, captures, cut, ask, person, member, key, roleOf, auditEntries },
  };
}

const SESSION = { state: 'full', expiresAt: Number.MAX_SAFE_INTEGER, ip: null, userAgent: null } as const;

export const OPERATOR: Actor = { kind: 'operator' };

export function asUser(user: User): Actor {
  const session = { ...SESSION, id: user.id as number as SessionId, userId: user.id, createdAt: 0, lastSeenAt: 0 };
  return { kind: 'user', user, session };
}

export const asKey = (key: Key): Actor => ({ kind: 'key', key });

/** Query and path parameters are text. */
function texts(values: Question['params'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
