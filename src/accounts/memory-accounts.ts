/** Accounts kept in memory, for tests of what stands on an `AccountStore`. */
import { type AccountId, accountId, type KeyId, keyId, type ProjectId, projectId } from '../core/ids.ts';
import {
  type Account,
  type AccountChanges,
  type AccountStore,
  type Key,
  type KeyChanges,
  type NewKey,
  NO_CAPTURE,
  type Project,
  type ProjectChanges,
} from './ports.ts';

export class MemoryAccounts implements AccountStore {
  readonly #accounts: Account[] = [];
  readonly #projects: Project[] = [];
  readonly #keys: Key[] = [];
  /** While set, every change is refused with it. */
  failing: Error | null = null;

  async createAccount(account: Pick<Account, 'name' | 'createdAt'>): Promise<Account> {
    this.#check();
    const id = accountId(this.#accounts.length + 1);
    const made = { ...account, id, closedAt: null, capture: NO_CAPTURE, limits: {}, permissions: {} };
    this.#accounts.push(made);
    return made;
  }

  async createProject(project: Pick<Project, 'accountId' | 'name' | 'createdAt'>): Promise<Project> {
    this.#check();
    const id = projectId(this.#projects.length + 1);
    const made = { ...project, id, archivedAt: null, limits: {}, permissions: {} };
    this.#projects.push(made);
    return made;
  }

  async createKey(key: NewKey): Promise<Key> {
    this.#check();
    return this.#addKey(key);
  }

  async revokeKey(id: KeyId, at: number): Promise<Key | null> {
    const revokedAt = this.#keys[id - 1]?.revokedAt ?? at;
    return this.#change(this.#keys, id, { revokedAt });
  }

  async deleteKey(id: KeyId): Promise<void> {
    this.#check();
    // Ids are places: only the newest is ever taken back.
    if (this.#keys.at(-1)?.id === id) this.#keys.pop();
  }

  async updateKey(id: KeyId, changes: KeyChanges): Promise<Key | null> {
    return this.#change(this.#keys, id, changes);
  }

  async rotateKey(
    id: KeyId,
    retiringAt: number,
    successor: NewKey,
  ): Promise<{ readonly retiring: Key; readonly successor: Key } | null> {
    const key = this.#keys[id - 1];
    if (key === undefined || key.revokedAt !== null || key.retiringAt !== null) return null;
    const retiring = this.#change(this.#keys, id, { retiringAt });
    return retiring === null ? null : { retiring, successor: this.#addKey(successor) };
  }

  async updateProject(id: ProjectId, changes: ProjectChanges): Promise<Project | null> {
    return this.#change(this.#projects, id, changes);
  }

  async updateAccount(id: AccountId, changes: AccountChanges): Promise<Account | null> {
    return this.#change(this.#accounts, id, changes);
  }

  async accounts(): Promise<readonly Account[]> {
    return [...this.#accounts];
  }

  async projects(): Promise<readonly Project[]> {
    return [...this.#projects];
  }

  async keysById(ids: readonly KeyId[]): Promise<readonly Key[]> {
    return this.#keys.filter(({ id }) => ids.includes(id));
  }

  async *keys(): AsyncIterable<Key> {
    yield* this.#keys;
  }

  #addKey(key: NewKey): Key {
    const project = this.#projects.find((each) => each.id === key.projectId);
    if (project === undefined) throw new Error('no such project');
    const id = keyId(this.#keys.length + 1);
    const made: Key = {
      ...key,
      id,
      rootId: key.rootId ?? id,
      accountId: project.accountId,
      name: key.name ?? `Key ${this.#keys.filter((each) => each.projectId === key.projectId).length + 1}`,
      disabled: false,
      revokedAt: null,
      retiringAt: null,
      updatedAt: null,
    };
    this.#keys.push(made);
    return made;
  }

  /** Rows are numbered from 1 and never go. */
  #change<Row extends object>(rows: Row[], id: number, changes: Partial<Row>): Row | null {
    this.#check();
    const row = rows[id - 1];
    if (row === undefined) return null;
    const changed = { ...row, ...changes };
    rows[id - 1] = changed;
    return changed;
  }

  #check(): void {
    if (this.failing !== null) throw this.failing;
  }
}
