/** Handlers for an account's keys. A secret is shown once, in the answer that created it. */
import type { Key } from '../../../accounts/keys.ts';
import type { keyRoutes } from '../../contract/keys.ts';
import { type Handler, type Handlers, TableAnswer } from '../door/handler.ts';
import { listAllKeys } from './all-keys.ts';
import { createKey, updateKey } from './change-key.ts';
import { readKeyMade, revokeKey, rotateKey } from './end-key.ts';
import { findKey } from './find-key.ts';
import { describeKeyLimits } from './key-limits.ts';
import { KEY_COLUMNS, keyRows } from './key-rows.ts';
import { describeAll, describeWhole, type KeyServices } from './key-services.ts';
import { pageOfKeys, readKeysCursor } from './list-keys.ts';
import { projectOf, workspaceOf } from './project-of-key.ts';

type Routes = typeof keyRoutes;

export function keyHandlers(services: KeyServices): Handlers<Routes> {
  return {
    listKeys: listKeys(services),
    listAllKeys: listAllKeys(services, (keys) => describeAll(services, keys)),
    createKey: createKey(services),
    readKey: async ({ account }, { params }) => ({
      data: await describeWhole(services, findKey(services.keys, account.id, params.key)),
    }),
    updateKey: updateKey(services),
    revokeKey: revokeKey(services),
    readKeyMade: readKeyMade(services),
    rotateKey: rotateKey(services),
    readKeyLimits: async ({ account }, { params }) => ({
      data: await describeKeyLimits(services, findKey(services.keys, account.id, params.key)),
    }),
  };
}

function listKeys(services: KeyServices): Handler<Routes['listKeys']> {
  return async ({ account }, { query }) => {
    const asked = query.project ?? workspaceOf(query.workspace_id);
    const project = asked === null ? null : projectOf(services.scopes, account.id, asked);
    const search = query.search?.toLowerCase() ?? '';
    const matches = (key: Key) =>
      key.accountId === account.id &&
      (project === null || key.projectId === project.id) &&
      (query.include_revoked === 'true' || key.revokedAt === null) &&
      (query.include_disabled === 'true' || !key.disabled) &&
      (search === '' || key.name.toLowerCase().includes(search) || key.label.toLowerCase().includes(search));
    if (query.format === 'csv')
      return new TableAnswer(
        KEY_COLUMNS,
        keyRows(services.keys, matches, (keys) => describeAll(services, keys)),
        'keys',
        'now',
      );
    const { keys, total, hasMore } = await pageOfKeys(services.keys.newestFirst(), {
      matches,
      before: readKeysCursor(query.cursor),
      offset: query.offset ?? 0,
      limit: query.limit,
    });
    const last = keys.at(-1);
    return {
      data: await describeAll(services, await services.keys.withLists(keys)),
      next_cursor: hasMore && last !== undefined ? String(last.id) : null,
      total_count: total,
    };
  };
}
