/**
 * Every alias, in memory, by scope and name, so that a call finds its own without a search. It follows the feed. The installation's aliases
 * of the configuration file hide stored ones of the same name.
 */
import type { AccountId, AliasId, ProjectId } from '../core/ids.ts';
import type { Alias, AliasRule } from './alias.ts';
import type { AliasStore, AliasTopics } from './ports.ts';

type ByName = Map<string, Alias>;

/** Whose request it is. */
export interface AliasUser {
  readonly accountId: AccountId;
  readonly projectId: ProjectId;
}

const NONE: readonly AliasRule[] = [];
/** Below the number of every change. */
const FORGOTTEN = -1;

export class AliasMirror {
  readonly #fixed: ReadonlyMap<string, AliasRule>;
  readonly #byId = new Map<AliasId, Alias>();
  readonly #shared: ByName = new Map();
  readonly #ofAccount = new Map<AccountId, ByName>();
  readonly #ofProject = new Map<ProjectId, ByName>();
  /** Deleted while the rows are being read, which may still contain them. */
  #deleted: Set<AliasId> | null = new Set();

  /** `fixed`: those of the configuration. */
  constructor(fixed: readonly AliasRule[] = []) {
    this.#fixed = new Map(fixed.map((rule) => [rule.name, rule]));
  }

  /** Subscribe to the feed first: what is changed while this reads has a higher number than the row. */
  async load(store: Pick<AliasStore, 'list'>): Promise<void> {
    for (const alias of await store.list()) if (!this.#deleted?.has(alias.id)) this.#put(alias);
    this.#deleted = null;
  }

  /** Applies a change, unless a later one was applied. */
  follow({ id, alias }: AliasTopics['alias']): void {
    if (alias !== null) return this.#put(alias);
    this.#deleted?.add(id);
    const known = this.#byId.get(id);
    if (known !== undefined) this.#remove(known);
  }

  /** The database went on from another state, whose numbers say nothing about these: what comes next replaces each of them. */
  forgetNumbers(): void {
    for (const alias of this.all()) {
      this.#remove(alias);
      this.#put({ ...alias, seq: FORGOTTEN });
    }
  }

  /** The narrowest alias of this name: the project's, then the account's, then the installation's. */
  find(name: string, { accountId, projectId }: AliasUser): AliasRule | undefined {
    return (
      this.#ofProject.get(projectId)?.get(name) ??
      this.#ofAccount.get(accountId)?.get(name) ??
      this.#fixed.get(name) ??
      this.#shared.get(name)
    );
  }

  /** What the names of a project's callers lead to, in order of name. */
  inForce({ accountId, projectId }: AliasUser): readonly AliasRule[] {
    const ofAccount = this.#ofAccount.get(accountId);
    const ofProject = this.#ofProject.get(projectId);
    if (this.#fixed.size + this.#shared.size === 0 && ofAccount === undefined && ofProject === undefined) return NONE;
    const rules = new Map<string, AliasRule>([
      ...this.#shared,
      ...this.#fixed,
      ...(ofAccount ?? []),
      ...(ofProject ?? []),
    ]);
    return [...rules.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Those of the configuration. */
  fixed(): readonly AliasRule[] {
    return [...this.#fixed.values()];
  }

  isFixed(name: string): boolean {
    return this.#fixed.has(name);
  }

  get(id: AliasId): Alias | undefined {
    return this.#byId.get(id);
  }

  /** In order of id. */
  all(): readonly Alias[] {
    return [...this.#byId.values()].toSorted((a, b) => a.id - b.id);
  }

  #put(alias: Alias): void {
    const before = this.#byId.get(alias.id);
    if (before !== undefined) {
      if (before.seq >= alias.seq) return;
      this.#remove(before);
    }
    this.#byId.set(alias.id, alias);
    this.#namesFor(alias).set(alias.name, alias);
  }

  #remove(alias: Alias): void {
    this.#byId.delete(alias.id);
    const names = this.#namesFor(alias);
    names.delete(alias.name);
    if (names.size > 0) return;
    if (alias.projectId !== null) this.#ofProject.delete(alias.projectId);
    else if (alias.accountId !== null) this.#ofAccount.delete(alias.accountId);
  }

  #namesFor({ accountId, projectId }: Alias): ByName {
    if (projectId !== null) return namesIn(this.#ofProject, projectId);
    return accountId === null ? this.#shared : namesIn(this.#ofAccount, accountId);
  }
}

function namesIn<Id>(scopes: Map<Id, ByName>, id: Id): ByName {
  const names = scopes.get(id) ?? new Map<string, Alias>();
  scopes.set(id, names);
  return names;
}
