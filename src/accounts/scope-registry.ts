/**
 * Makes and changes accounts and projects: the store first, then the mirror. A change counts for
 * the next call when its promise resolves; one that could not be stored is not pretended.
 */
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { AccountId, ProjectId } from '../core/ids.ts';
import { PROJECTS_MAX } from './bounds.ts';
import { checkOpen } from './check-open.ts';
import { type ChangesOf, type CheckStill, OneAtATime } from './one-at-a-time.ts';
import type { Account, AccountChanges, AccountStore, Project, ProjectChanges } from './ports.ts';
import type { ScopeMirror } from './scope-mirror.ts';

export interface ScopeRegistryParts {
  readonly store: Pick<AccountStore, 'createAccount' | 'createProject' | 'updateAccount' | 'updateProject'>;
  readonly mirror: ScopeMirror;
  readonly clock: Clock;
}

/** What is given replaces what was there; limits and permissions as a whole. */
export type ProjectRequest = Omit<ProjectChanges, 'archivedAt'> & {
  /**
   * The keys of an archived project are refused as revoked ones are, from the next call on, all of
   * them; calls that run end by themselves. Taken back, the keys are good again.
   */
  readonly archived?: boolean;
};

export class ScopeRegistry {
  readonly #parts: ScopeRegistryParts;
  readonly #changes = new OneAtATime();

  constructor(parts: ScopeRegistryParts) {
    this.#parts = parts;
  }

  /** `checkStill` of this and others is asked just before the change. */
  createAccount(account: Pick<Account, 'name'>, checkStill?: CheckStill): Promise<Account> {
    const { store, mirror, clock } = this.#parts;
    return this.#changes.run(async () => {
      const { name } = account;
      const made = await store.createAccount({ name, createdAt: clock.now() });
      mirror.putAccount(made);
      return made;
    }, checkStill);
  }

  /** Throws `GatewayError` `conflict` where the account is closed, or has a project of this name. */
  createProject(project: Pick<Project, 'accountId' | 'name'>, checkStill?: CheckStill): Promise<Project> {
    const { store, mirror, clock } = this.#parts;
    return this.#changes.run(async () => {
      const { accountId, name } = project;
      this.#checkOpen(accountId);
      this.#checkNameIsFree(accountId, name);
      this.#checkRoom(accountId);
      const made = await store.createProject({ accountId, name, createdAt: clock.now() });
      mirror.putProject(made);
      return made;
    }, checkStill);
  }

  /** The account as it now stands, or null when there is none of this id. */
  updateAccount(
    id: AccountId,
    changes: ChangesOf<Account, AccountChanges>,
    checkStill?: CheckStill,
  ): Promise<Account | null> {
    const { store, mirror } = this.#parts;
    return this.#changes.run(async () => {
      const known = mirror.findAccount(id);
      if (known === undefined) return null;
      const account = await store.updateAccount(id, typeof changes === 'function' ? changes(known) : changes);
      if (account !== null) mirror.putAccount(account);
      return account;
    }, checkStill);
  }

  /**
   * The project as it now stands, or null when there is none of this id. Archiving twice keeps the first time. Throws
   * `GatewayError` `conflict` where a project of a closed account is to come back, or where another one has the name.
   */
  updateProject(
    id: ProjectId,
    request: ChangesOf<Project, ProjectRequest>,
    checkStill?: CheckStill,
  ): Promise<Project | null> {
    const { store, mirror, clock } = this.#parts;
    return this.#changes.run(async () => {
      const known = mirror.findProject(id);
      if (known === undefined) return null;
      const { archived, ...others } = typeof request === 'function' ? request(known) : request;
      if (archived === false) this.#checkOpen(known.accountId);
      if (others.name !== undefined && others.name !== known.name) this.#checkNameIsFree(known.accountId, others.name);
      const before = known.archivedAt;
      const changes =
        archived === undefined ? others : { ...others, archivedAt: archived ? (before ?? clock.now()) : null };
      const project = await store.updateProject(id, changes);
      if (project !== null) mirror.putProject(project);
      return project;
    }, checkStill);
  }

  /**
   * Marks an account as closed, for good, at the first time it is said: from then on it gets no new projects and keys. Null
   * when there is none of this id. The rest of a closing is `closeAccount`'s.
   */
  markClosed(id: AccountId): Promise<Account | null> {
    const { store, mirror, clock } = this.#parts;
    return this.#changes.run(async () => {
      const known = mirror.findAccount(id);
      if (known === undefined || known.closedAt !== null) return known ?? null;
      const account = await store.updateAccount(id, { closedAt: clock.now() });
      if (account !== null) mirror.putAccount(account);
      return account;
    });
  }

  /** Archives every project of an account, and tells how many were not archived before. */
  archiveAllOf(id: AccountId): Promise<number> {
    const { store, mirror, clock } = this.#parts;
    return this.#changes.run(async () => {
      const standing = mirror.projects().filter((each) => each.accountId === id && each.archivedAt === null);
      for (const each of standing) {
        const project = await store.updateProject(each.id, { archivedAt: clock.now() });
        if (project !== null) mirror.putProject(project);
      }
      return standing.length;
    });
  }

  /** Every project, archived ones included, in order of id. */
  projects(): readonly Project[] {
    return this.#parts.mirror.projects();
  }

  /** Every account, in order of id. */
  accounts(): readonly Account[] {
    return this.#parts.mirror.accounts();
  }

  #checkOpen(id: AccountId): void {
    const account = this.#parts.mirror.findAccount(id);
    if (account !== undefined) checkOpen(account);
  }

  /** Archived ones count: they stay in reports for ever. */
  #checkRoom(account: AccountId): void {
    const count = this.#parts.mirror.projects().filter(({ accountId }) => accountId === account).length;
    if (count >= PROJECTS_MAX)
      throw new GatewayError('conflict', { message: `An account has at most ${PROJECTS_MAX} projects.` });
  }

  /** To be asked in a turn: two at once would both find it free. */
  #checkNameIsFree(account: AccountId, name: string): void {
    const taken = this.#parts.mirror.projects().some((each) => each.accountId === account && each.name === name);
    if (taken) throw new GatewayError('conflict', { message: 'There is a project of this name.', param: 'name' });
  }
}
