/**
 * What an empty installation needs before anybody can call it: an account, a project and a key. An interrupted first run continues where it
 * stopped.
 */
import type { AccountId } from '../core/ids.ts';
import type { Secret } from '../core/secret.ts';
import type { Transactions } from '../core/transactions.ts';
import type { CreatedKey, KeyRegistry } from './key-registry.ts';
import type { Account, AccountStore, Project } from './ports.ts';
import type { ScopeRegistry } from './scope-registry.ts';

export interface FirstRun extends CreatedKey {
  readonly account: Account;
  readonly project: Project;
  /** False if the operator chose the secret and knows it already. */
  readonly isNews: boolean;
  /** Deletes the key if its secret could not be shown: the next first run makes another. */
  takeBack(): Promise<void>;
}

export interface FirstRunParts {
  readonly scopes: ScopeRegistry;
  readonly keys: KeyRegistry;
  readonly store: Pick<AccountStore, 'accounts' | 'projectsOf' | 'keys'>;
  readonly transactions: Transactions;
}

export interface BootstrapOptions {
  readonly secret?: Secret | null;
  /** Called before the key is made, so that an interrupted first run repeats it. */
  readonly welcome?: (accountId: AccountId) => Promise<void>;
}

const DEFAULT_NAME = 'Default';

/** The first run of an installation that has everything but its key. */
export interface PendingFirstRun {
  readonly account: Account;
  readonly project: Project;
  /** Makes the key: the last step, once its secret can be shown. Null if another process has made one meanwhile. */
  makeKey(): Promise<FirstRun | null>;
}

/**
 * Makes the default account and project if there has never been a key; otherwise null. Several nodes may do this at the same time: what counts is
 * what is stored.
 */
export async function prepareFirstRun(
  { scopes, keys, store, transactions }: FirstRunParts,
  options: BootstrapOptions = {},
): Promise<PendingFirstRun | null> {
  for (const _key of keys.list()) return null;
  const { account, project } = await transactions.run(async () => {
    const account = (await store.accounts())[0] ?? (await scopes.createAccount({ name: DEFAULT_NAME }));
    const project =
      (await store.projectsOf(account.id)).find(({ archivedAt }) => archivedAt === null) ??
      (await scopes.createProject({ accountId: account.id, name: DEFAULT_NAME }));
    return { account, project };
  });
  await options.welcome?.(account.id);
  return {
    account,
    project,
    makeKey: () =>
      transactions.run(async () => {
        for await (const _key of store.keys()) return null;
        const made = await keys.create({ projectId: project.id, name: null, secret: options.secret ?? null });
        const isNews = (options.secret ?? null) === null;
        return { account, project, ...made, isNews, takeBack: () => keys.takeBack(made) };
      }),
  };
}
