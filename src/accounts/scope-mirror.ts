/**
 * Every project and account, in memory, so that each call can read what narrows a key's limits, permissions and budgets. It follows the
 * feed.
 */
import { assert } from '../core/assert.ts';
import type { AccountId, ProjectId } from '../core/ids.ts';
import { boundedPermissions } from './bounds.ts';
import type { Account, AccountStore, Project } from './ports.ts';

/** Below the number of every change. */
export const FORGOTTEN = -1;

export class ScopeMirror {
  /** By id. */
  readonly #projects: (Project | undefined)[] = [];
  readonly #accounts: (Account | undefined)[] = [];

  async load(store: Pick<AccountStore, 'accounts' | 'projects'>): Promise<void> {
    for (const account of await store.accounts()) this.putAccount(account);
    for (const project of await store.projects()) this.putProject(project);
  }

  /** The project of a key. Throws `AssertionFailed` if it is unknown: every key's project is in the mirror. */
  project(id: ProjectId): Project {
    const project = this.#projects[id];
    assert(project !== undefined, 'the project of a key is in the mirror');
    return project;
  }

  /** The account of a key. Throws `AssertionFailed` if it is unknown. */
  account(id: AccountId): Account {
    const account = this.#accounts[id];
    assert(account !== undefined, 'the account of a key is in the mirror');
    return account;
  }

  findProject(id: ProjectId): Project | undefined {
    return this.#projects[id];
  }

  findAccount(id: AccountId): Account | undefined {
    return this.#accounts[id];
  }

  /** Whether the keys of a project are refused: it is archived, its account is closed, or what holds for them is not known. */
  isArchived(id: ProjectId): boolean {
    const project = this.#projects[id];
    if (project === undefined) return false;
    if (project.archivedAt !== null || project.isUnreadable === true) return true;
    const account = this.#accounts[project.accountId];
    return account !== undefined && (account.closedAt !== null || account.isUnreadable === true);
  }

  /** In order of id, including archived ones. */
  projects(): readonly Project[] {
    return this.#projects.filter((project) => project !== undefined);
  }

  /** In order of id. */
  accounts(): readonly Account[] {
    return this.#accounts.filter((account) => account !== undefined);
  }

  /** See `KeyMirror.forgetNumbers`. */
  forgetNumbers(): void {
    for (const project of this.projects()) this.#projects[project.id] = { ...project, seq: FORGOTTEN };
    for (const account of this.accounts()) this.#accounts[account.id] = { ...account, seq: FORGOTTEN };
  }

  /** No key may belong to it any more. */
  removeProject(id: ProjectId): void {
    this.#projects[id] = undefined;
  }

  /** No project may belong to it any more. */
  removeAccount(id: AccountId): void {
    this.#accounts[id] = undefined;
  }

  /** Adds a project, or replaces the one with the same id unless that has a later change. */
  putProject(project: Project): void {
    const before = this.#projects[project.id];
    if (before !== undefined && before.seq >= project.seq) return;
    this.#projects[project.id] = { ...project, permissions: boundedPermissions(project.permissions) };
  }

  /** Adds an account, or replaces the one with the same id unless that has a later change. */
  putAccount(account: Account): void {
    const before = this.#accounts[account.id];
    if (before !== undefined && before.seq >= account.seq) return;
    this.#accounts[account.id] = { ...account, permissions: boundedPermissions(account.permissions) };
  }
}
