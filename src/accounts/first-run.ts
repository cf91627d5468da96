/**
 * What an empty installation needs before anybody can call it: an account, a project and a key. An interrupted first run continues where it
 * stopped.
 */
import type { AccountId } from '../core/ids.ts';
import type { Secret } from '../core/secret.ts';
import type { CreatedKey, KeyRegistry } from './key-registry.ts';
import type { Account, Project } from './ports.ts';
import type { ScopeRegistry } from './scope-registry.ts';

export interface FirstRun extends CreatedKey {
  readonly account: Account;
  readonly project: Project;
  /** False if the operator chose the secret and knows it already. */
  readonly isNews: boolean;
  /** Deletes the key if its secret could not be shown: the next first run makes another. */
  takeBack(): Promise<void>;
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
  /** Makes the key: the last step, once its secret can be shown. */
  makeKey(): Promise<FirstRun>;
}

/** Makes the default account and project if there has never been a key; otherwise null. */
export async function prepareFirstRun(
  scopes: ScopeRegistry,
  keys: KeyRegistry,
  options: BootstrapOptions = {},
): Promise<PendingFirstRun | null> {
  for (const _key of keys.list()) return null;
  const account = scopes.accounts()[0] ?? (await scopes.createAccount({ name: DEFAULT_NAME }));
  const project =
    scopes.projects().find((each) => each.accountId === account.id && each.archivedAt === null) ??
    (await scopes.createProject({ accountId: account.id, name: DEFAULT_NAME }));
  await options.welcome?.(account.id);
  return {
    account,
    project,
    async makeKey() {
      const made = await keys.create({ projectId: project.id, name: null, secret: options.secret ?? null });
      const isNews = (options.secret ?? null) === null;
      return { account, project, ...made, isNews, takeBack: () => keys.takeBack(made) };
    },
  };
}
