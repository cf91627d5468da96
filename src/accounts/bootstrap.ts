/**
 * What an empty installation needs before anybody can call: an account, a project and a key.
 * A first run that was interrupted is taken up where it stopped.
 */
import type { Clock } from '../core/clock.ts';
import type { Secret } from '../core/secret.ts';
import type { CreatedKey, KeyBook } from './key-book.ts';
import type { Account, AccountStore, BillingMode, Project } from './ports.ts';

export interface FirstRun extends CreatedKey {
  readonly account: Account;
  readonly project: Project;
}

const DEFAULT_NAME = 'Default';

/** Makes the default account, project and first key where there has never been a key; else null. */
export async function bootstrap(
  store: AccountStore,
  keyBook: KeyBook,
  options: { readonly clock: Clock; readonly billingMode: BillingMode; readonly secret?: Secret | null },
): Promise<FirstRun | null> {
  for (const _key of keyBook.list()) return null;
  const createdAt = options.clock.now();
  const account =
    (await store.accounts())[0] ??
    (await store.createAccount({ name: DEFAULT_NAME, billingMode: options.billingMode, createdAt }));
  const project =
    (await store.projects()).find((each) => each.accountId === account.id) ??
    (await store.createProject({ accountId: account.id, name: DEFAULT_NAME, createdAt }));
  return {
    account,
    project,
    ...(await keyBook.create({ projectId: project.id, name: null, secret: options.secret ?? null })),
  };
}
