/**
 * Creates and changes accounts and projects, each in one transaction that reads the current rows. Memory follows the feed on commit, so a
 * change applies to the next call once its promise resolves; one that could not be stored has no effect.
 */
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { AccountId, ProjectId } from '../core/ids.ts';
import type { Transactions } from '../core/transactions.ts';
import { PROJECTS_MAX } from './bounds.ts';
import { checkOpen } from './check-open.ts';
import type { Account, AccountChanges, AccountStore, Changed, ChangesOf, Project, ProjectChanges } from './ports.ts';
import type { ScopeMirror } from './scope-mirror.ts';

export interface ScopeRegistryParts {
  readonly store: Pick<
    AccountStore,
    | 'account'
    | 'accountsNamed'
    | 'projectsOf'
    | 'projectNamed'
    | 'projectCount'
    | 'createAccount'
    | 'createProject'
    | 'changeAccount'
    | 'changeProject'
    | 'keyCounts'
  >;
  readonly transactions: Transactions;
  readonly mirror: ScopeMirror;
  readonly clock: Clock;
}

/** Fields that are present replace the current values; limits and permissions as a whole. */
export type ProjectRequest = Omit<ProjectChanges, 'archivedAt'> & {
  /**
   * All keys of an archived project are refused from the next call on, as revoked ones are; running calls continue. Unarchiving makes the
   * keys good again.
   */
  readonly archived?: boolean;
};

export type NewProject = Pick<Project, 'accountId' | 'name'> &
  Pick<ProjectChanges, 'limits' | 'permissions' | 'restrictions'>;

const FIRST_PROJECT = 'Default';
/** Projects archived per transaction: some milliseconds. */
const PROJECTS_PER_TRANSACTION = 20;

export class ScopeRegistry {
  readonly #parts: ScopeRegistryParts;

  constructor(parts: ScopeRegistryParts) {
    this.#parts = parts;
  }

  createAccount({ name }: Pick<Account, 'name'>): Promise<Account> {
    const { store, clock } = this.#parts;
    return store.createAccount({ name, createdAt: clock.now() });
  }

  /**
   * Creates an account with its first project. Throws `GatewayError` `conflict` if an open account has the name. An account without a
   * project was left by a version that did not create both in one transaction; it gets its project now.
   */
  createNamedAccount({ name }: Pick<Account, 'name'>): Promise<Account> {
    const { store, transactions } = this.#parts;
    return transactions.run(async () => {
      const known = (await store.accountsNamed(name)).find(({ closedAt }) => closedAt === null);
      if (known !== undefined && (await store.projectCount(known.id)) > 0)
        throw new GatewayError('conflict', { message: 'An account with this name already exists.', param: 'name' });
      const account = known ?? (await this.createAccount({ name }));
      await this.createProject({ accountId: account.id, name: FIRST_PROJECT });
      return account;
    });
  }

  /** Throws `GatewayError` `conflict` if the account is closed, has a project of this name, or has the maximum number. */
  createProject({ accountId, name, ...settings }: NewProject): Promise<Project> {
    const { store, transactions, clock } = this.#parts;
    return transactions.run(async () => {
      await this.#checkOpen(accountId);
      await this.#checkNameIsFree(accountId, name);
      // Archived ones count too: they stay in reports for ever.
      if ((await store.projectCount(accountId)) >= PROJECTS_MAX)
        throw new GatewayError('conflict', { message: `An account can have at most ${PROJECTS_MAX} projects.` });
      const made = await store.createProject({ accountId, name, createdAt: clock.now() });
      return (await store.changeProject(made.id, settings))?.after ?? made;
    });
  }

  /** Null if there is no account with this id. */
  updateAccount(id: AccountId, changes: ChangesOf<Account, AccountChanges>): Promise<Changed<Account> | null> {
    return this.#parts.store.changeAccount(id, changes);
  }

  /**
   * Null if there is no project with this id. Archiving twice keeps the first time. Throws `GatewayError` `conflict` when unarchiving a
   * project of a closed account, or if another project has the name.
   */
  updateProject(id: ProjectId, request: ChangesOf<Project, ProjectRequest>): Promise<Changed<Project> | null> {
    const { store, clock } = this.#parts;
    return store.changeProject(id, async (known) => {
      const { archived, ...changes } = request instanceof Function ? await request(known) : request;
      if (archived === false) await this.#checkOpen(known.accountId);
      if (changes.name !== undefined && changes.name !== known.name)
        await this.#checkNameIsFree(known.accountId, changes.name);
      if (archived === undefined) return changes;
      return { ...changes, archivedAt: archived ? (known.archivedAt ?? clock.now()) : null };
    });
  }

  /**
   * Marks an account as closed for good: from then on it gets no new projects and keys. Closing twice keeps the first time. Null if there
   * is no account with this id. `closeAccount` does the rest.
   */
  markClosed(id: AccountId): Promise<Changed<Account> | null> {
    const { store, clock } = this.#parts;
    return store.changeAccount(id, ({ closedAt }) => (closedAt === null ? { closedAt: clock.now() } : {}));
  }

  /** The number of open keys and projects of an account. */
  async standingOf(id: AccountId): Promise<{ readonly keys: number; readonly projects: number }> {
    const { store } = this.#parts;
    const projects = (await store.projectsOf(id)).filter(({ archivedAt }) => archivedAt === null).length;
    return { keys: (await store.keyCounts(id)).standing, projects };
  }

  /** Archives every project of an account, a few per transaction. */
  async archiveAllOf(id: AccountId): Promise<void> {
    const { store, transactions, clock } = this.#parts;
    for (let left = true; left; )
      left = await transactions.run(async () => {
        const open = (await store.projectsOf(id)).filter(({ archivedAt }) => archivedAt === null);
        for (const { id: project } of open.slice(0, PROJECTS_PER_TRANSACTION))
          await store.changeProject(project, { archivedAt: clock.now() });
        return open.length > PROJECTS_PER_TRANSACTION;
      });
  }

  /** Every project, including archived ones, in order of id. */
  projects(): readonly Project[] {
    return this.#parts.mirror.projects();
  }

  /** Every account, in order of id. */
  accounts(): readonly Account[] {
    return this.#parts.mirror.accounts();
  }

  async #checkOpen(id: AccountId): Promise<void> {
    const account = await this.#parts.store.account(id);
    if (account !== null) checkOpen(account);
  }

  async #checkNameIsFree(account: AccountId, name: string): Promise<void> {
    if ((await this.#parts.store.projectNamed(account, name)) !== null)
      throw new GatewayError('conflict', { message: 'A project with this name already exists.', param: 'name' });
  }
}
