/** Applies what another process changed, read from this process's position in the feed. */
import type { Feed } from '../core/feed.ts';
import { type AccountId, accountId, keyId, type ProjectId, projectId } from '../core/ids.ts';
import type { KeyMirror } from './key-mirror.ts';
import type { AccountStore, AccountTopics } from './ports.ts';

export interface CatchUpParts {
  readonly feed: Pick<Feed<AccountTopics>, 'since'>;
  readonly store: Pick<AccountStore, 'account' | 'project' | 'keysById'>;
  readonly mirror: KeyMirror;
  /** Ends the calls that run on a key. */
  cutCalls(key: AccountTopics['cut']): void;
}

const PAGE = 200;

/**
 * Applies to the mirror what changed after `seq`, reading current rows. Returns the position reached, or null if the feed does not go back
 * that far: the mirror must then be reloaded. Repeating it from an earlier position changes nothing.
 */
export async function catchUp({ feed, store, mirror, cutCalls }: CatchUpParts, seq: number): Promise<number | null> {
  for (let from = seq; ; ) {
    const changes = await feed.since(from, PAGE);
    if (changes === null) return null;
    const ids = (topic: string) => [
      ...new Set(changes.filter((each) => each.topic === topic).map(({ id }) => Number(id))),
    ];
    for (const id of ids('account')) await putAccount(accountId(id));
    for (const id of ids('project')) await putProject(projectId(id));
    for (const key of await store.keysById(ids('key').map(keyId))) mirror.put(key);
    for (const id of ids('cut')) cutCalls(keyId(id));
    from = changes.at(-1)?.seq ?? from;
    if (changes.length < PAGE) return from;
  }

  async function putAccount(id: AccountId): Promise<void> {
    const account = await store.account(id);
    if (account !== null) mirror.scopes.putAccount(account);
  }

  async function putProject(id: ProjectId): Promise<void> {
    const project = await store.project(id);
    if (project !== null) mirror.scopes.putProject(project);
  }
}
