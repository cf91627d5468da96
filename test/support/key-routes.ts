/** For tests of keys on the management API: a real ledger of two accounts in memory, and what a route answers to each caller. */
import { KeyRegistry } from '../../src/accounts/key-registry.ts';
import { openMirror } from '../../src/accounts/open-mirror.ts';
import type { Account, Project } from '../../src/accounts/ports.ts';
import { ScopeRegistry } from '../../src/accounts/scope-registry.ts';
import { Pepper } from '../../src/accounts/secret/pepper.ts';
import { keyRoutes } from '../../src/api/contract/keys.ts';
import type { Context } from '../../src/api/management/door/handler.ts';
import { keyHandlers } from '../../src/api/management/keys/keys.ts';
import { parseInput } from '../../src/api/parse-input.ts';
import { LedgerBank } from '../../src/billing/ledger-bank.ts';
import { MemoryLedger } from '../../src/billing/memory-ledger.ts';
import { ManualClock } from '../../src/core/clock.ts';
import { accountId } from '../../src/core/ids.ts';
import { Secret } from '../../src/core/secret.ts';
import { Limiter } from '../../src/limits/limiter.ts';
import type { NewAuditEntry, Role } from '../../src/members/ports.ts';
import { openAccountsInMemory } from '../../src/storage/sqlite/engine/kysely-under-test.ts';

/** A Saturday. */
export const NOW = Date.UTC(2026, 10, 21, 12);

export type RouteName = keyof typeof keyRoutes;
export type AuditChange = Pick<NewAuditEntry, 'action' | 'subject' | 'before' | 'after'>;

export interface Asker {
  readonly role: Role;
  readonly actorId: string;
  readonly account: number;
}

export const ADMIN: Asker = { role: 'admin', actorId: 'user:1', account: 1 };
export const DEVELOPER: Asker = { role: 'developer', actorId: 'user:2', account: 1 };
/** For example management key 3. */
export const MANAGEMENT_KEY: Asker = { role: 'admin', actorId: 'key:3', account: 1 };
export const STRANGER: Asker = { role: 'owner', actorId: 'user:3', account: 2 };

export interface Question {
  readonly key?: string | number;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export type KeyFixture = Awaited<ReturnType<typeof openKeys>>;

/** Account 1 has the projects `Default` and `staging`, account 2 one of its own. */
export async function openKeys() {
  const clock = new ManualClock(NOW);
  const { store, transactions, feed, database } = await openAccountsInMemory(clock);
  for (const name of ['Acme', 'Other']) {
    const account = await store.createAccount({ name, createdAt: 0 });
    await store.createProject({ accountId: account.id, name: 'Default', createdAt: 0 });
  }
  await store.createProject({ accountId: accountId(1), name: 'staging', createdAt: 0 });
  const pepper = new Pepper(new Secret('5a'.repeat(32)));
  const mirror = await openMirror({ store, feed }, pepper, NOW);
  const cut: number[] = [];
  feed.subscribe('cut', (id) => cut.push(id));
  const ledger = new MemoryLedger(NOW);
  const bank = new LedgerBank({
    store: ledger,
    loaded: await ledger.load(),
    mode: 'prepaid',
    clock,
    isWritable: () => true,
  });
  const limiter = new Limiter({ clock, requestsToday: () => 0 });
  const keys = new KeyRegistry({ store, transactions, mirror, pepper, clock, keysMax: 20_000 });
  const scopes = new ScopeRegistry({ store, transactions, mirror: mirror.scopes, clock });
  const auditEntries: AuditChange[] = [];
  const handlers = keyHandlers({
    keys,
    scopes: mirror.scopes,
    bank,
    limiter,
    clock,
    operations: ['chat'],
    invitationsBy: async () => [],
    nameOf: async (actorId) => (actorId === 'user:2' ? 'Ada' : null),
  });
  /** As it would be on the wire; throws what the handler throws. */
  const ask = async (asker: Asker, name: RouteName, { key, query, body }: Question = {}) => {
    const route = keyRoutes[name];
    const account: Account = mirror.scopes.account(accountId(asker.account));
    const input = {
      params: parseInput(route.params, key === undefined ? {} : { key: String(key) }),
      query: parseInput(route.query, query ?? {}),
      body: parseInput(route.body, body ?? {}),
    };
    const audit = async (change: AuditChange) => {
      auditEntries.push(change);
    };
    const actor = { kind: asker.actorId.split(':', 1)[0] };
    const context = {
      actor,
      role: asker.role,
      actorId: asker.actorId,
      account,
      audit,
      checkStill: async () => undefined,
      change: <Result>(work: () => Promise<Result>) => transactions.run(work),
    } as unknown as Context;
    // The route's own input, which the type of all handlers together cannot say.
    const answer = await (handlers[name] as (context: Context, input: unknown) => Promise<unknown>)(context, input);
    return JSON.parse(JSON.stringify(parseInput(route.answer, answer)));
  };
  /** `count` keys of the first project, without the registry, which takes a millisecond for each. */
  const fill = async (count: number) => {
    database.exec(
      `INSERT INTO keys (project_id, name, label, kind, digest, pepper_id, created_at, limits, permissions)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
       SELECT 1, 'k' || i, 'sk-tp-…', 'inference', randomblob(32), 'p', 0, '{}', '{}' FROM n`,
    );
    for await (const key of store.keys()) mirror.put(key);
  };
  const project = (name: string): Project => {
    const found = mirror.scopes.projects().find((each) => each.name === name);
    if (found === undefined) throw new Error(`no project ${name}`);
    return found;
  };
  return { clock, store, keys, scopes, bank, limiter, ledger, handlers, auditEntries, cut, ask, fill, project };
}
