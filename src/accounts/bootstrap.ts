/**
 * What an empty installation needs before anybody can call: an account, a project and a key.
 * A first run that was interrupted is taken up where it stopped.
 */
import type { Clock } from '../core/clock.ts';
import type { AccountId } from '../core/ids.ts';
import type { Secret } from '../core/secret.ts';
import type { CreatedKey, KeyBook } from './key-book.ts';
import type { Account, AccountStore, BillingMode, Project } from './ports.ts';
import { ScopeBook } from './scope-book.ts';

export interface FirstRun extends CreatedKey {
  readonly account: Account;
  readonly project: Project;
}

export interface BootstrapOptions {
  readonly clock: Clock;
  readonly billingMode: BillingMode;
  readonly secret?: Secret | null;
  /** Called before the key is made, so that a first run that ends in between is taken up here. */
  readonly welcome?: (accountId: AccountId) => Promise<void>;
}

const DEFAULT_NAME = 'Default';

/** Makes the default account, project and first key where there has never been a key; else null. */
export async function bootstrap(
  store: AccountStore,
  keyBook: KeyBook,
  options: BootstrapOptions,
): Promise<FirstRun | null> {
  for (const _key of keyBook.list()) return null;
  const scopeBook = new ScopeBook({ store, mirror: keyBook.scopes, clock: options.clock });
  const account =
    scopeBook.accounts()[0] ??
    (await scopeBook.createAccount({ name: DEFAULT_NAME, billingMode: options.billingMode }));
  const project =
    scopeBook.projects().find((each) => each.accountId === account.id && each.archivedAt === null) ??
    (await scopeBook.createProject({ accountId: account.id, name: DEFAULT_NAME }));
  await options.welcome?.(account.id);
  return {
    account,
    project,
    ...(await keyBook.create({ projectId: project.id, name: null, secret: options.secret ?? null })),
  };
}
