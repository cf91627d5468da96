/**
 * Makes and changes accounts and projects: the store first, then the mirror. A change counts for
 * the next call when its promise resolves; one that could not be stored is not pretended.
 */
import type { Clock } from '../core/clock.ts';
import type { AccountId, ProjectId } from '../core/ids.ts';
import { OneAtATime } from './one-at-a-time.ts';
import type { Account, AccountChanges, AccountStore, Project, ProjectChanges } from './ports.ts';
import type { ScopeMirror } from './scope-mirror.ts';

export interface ScopeBookParts {
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

export class ScopeBook {
  readonly #parts: ScopeBookParts;
  readonly #changes = new OneAtATime();

  constructor(parts: ScopeBookParts) {
    this.#parts = parts;
  }

  createAccount(account: Pick<Account, 'name' | 'billingMode'>): Promise<Account> {
    const { store, mirror, clock } = this.#parts;
    return this.#changes.run(async () => {
      const { name, billingMode } = account;
      const made = await store.createAccount({ name, billingMode, createdAt: clock.now() });
      mirror.putAccount(made);
      return made;
    });
  }

  createProject(project: Pick<Project, 'accountId' | 'name'>): Promise<Project> {
    const { store, mirror, clock } = this.#parts;
    return this.#changes.run(async () => {
      const { accountId, name } = project;
      const made = await store.createProject({ accountId, name, createdAt: clock.now() });
      mirror.putProject(made);
      return made;
    });
  }

  /** The account as it now stands, or null when there is none of this id. */
  updateAccount(id: AccountId, changes: AccountChanges): Promise<Account | null> {
    const { store, mirror } = this.#parts;
    return this.#changes.run(async () => {
      const account = await store.updateAccount(id, changes);
      if (account !== null) mirror.putAccount(account);
      return account;
    });
  }

  /** The project as it now stands, or null when there is none of this id. Archiving twice keeps the first time. */
  updateProject(id: ProjectId, { archived, ...others }: ProjectRequest): Promise<Project | null> {
    const { store, mirror, clock } = this.#parts;
    return this.#changes.run(async () => {
      const before = mirror.findProject(id)?.archivedAt ?? null;
      const changes =
        archived === undefined ? others : { ...others, archivedAt: archived ? (before ?? clock.now()) : null };
      const project = await store.updateProject(id, changes);
      if (project !== null) mirror.putProject(project);
      return project;
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
}
