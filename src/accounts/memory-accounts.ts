/** Accounts kept in memory, for tests of what stands on an `AccountStore`. */
import { accountId, type KeyId, keyId, projectId } from '../core/ids.ts';
import type { Account, AccountStore, Key, NewKey, Project } from './ports.ts';

export class MemoryAccounts implements AccountStore {
  readonly #accounts: Account[] = [];
  readonly #projects: Project[] = [];
  readonly #keys: Key[] = [];
  /** While set, every change is refused with it. */
  failing: Error | null = null;

  async createAccount(account: Omit<Account, 'id'>): Promise<Account> {
    this.#check();
    const made = { ...account, id: accountId(this.#accounts.length + 1) };
    this.#accounts.push(made);
    return made;
  }

  async createProject(project: Omit<Project, 'id' | 'archivedAt'>): Promise<Project> {
    this.#check();
    const made = { ...project, id: projectId(this.#projects.length + 1), archivedAt: null };
    this.#projects.push(made);
    return made;
  }

  async createKey(key: NewKey): Promise<Key> {
    this.#check();
    const project = this.#projects.find((each) => each.id === key.projectId);
    if (project === undefined) throw new Error('no such project');
    const made: Key = {
      ...key,
      id: keyId(this.#keys.length + 1),
      accountId: project.accountId,
      name: key.name ?? `Key ${this.#keys.filter((each) => each.projectId === key.projectId).length + 1}`,
      disabled: false,
      revokedAt: null,
      retiringAt: null,
    };
    this.#keys.push(made);
    return made;
  }

  async revokeKey(id: KeyId, at: number): Promise<Key | null> {
    this.#check();
    const key = this.#keys[id - 1];
    if (key === undefined) return null;
    const revoked = { ...key, revokedAt: key.revokedAt ?? at };
    this.#keys[id - 1] = revoked;
    return revoked;
  }

  async accounts(): Promise<readonly Account[]> {
    return [...this.#accounts];
  }

  async projects(): Promise<readonly Project[]> {
    return [...this.#projects];
  }

  async *keys(): AsyncIterable<Key> {
    yield* this.#keys;
  }

  #check(): void {
    if (this.failing !== null) throw this.failing;
  }
}
