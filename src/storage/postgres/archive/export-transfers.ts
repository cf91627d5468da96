/** Exports the ledger as transfers, page by page: sealed months from their archives, as with SQLite, then the rows that are not sealed. */
import type { TransferPage, TransferQuery } from '../../../billing/maintenance-ports.ts';
import {
  type EntryRow,
  firstCall,
  LIVE,
  mergeRows,
  pageOf,
  readArchive,
  type SettledRow,
  stepOf,
} from '../../sqlite/archive/export-transfers.ts';
import type { MaintenanceConnection } from '../maintenance/maintenance-connection.ts';
import { readSeals } from '../verify/read-seals.ts';
import { bringArchives } from './archive-files.ts';

/** Throws `GatewayError`: `invalid_value` for an invalid cursor; `conflict` if an archive of that time is missing. */
export function exportTransfers(
  connection: MaintenanceConnection,
  folder: string,
  query: TransferQuery,
): Promise<TransferPage> {
  return connection.snapshot(async () => {
    const seals = await readSeals(connection);
    const step = stepOf([...seals.keys()], query);
    if (step.source !== LIVE) {
      const sealed = seals.get(step.source);
      if (sealed !== undefined) await bringArchives(connection, folder, new Map([[step.source, sealed]]));
      return pageOf(step, readArchive(folder, query, step));
    }
    const { fromMs, toMs, accountId, limit } = query;
    const account = accountId === null ? '' : `and account_id = ${accountId}`;
    const settled = await connection.rows<SettledRow>(
      `select call_id as call, admitted_at as at, account_id::bigint as account, charge_nano as charge,
         (case when hold_nano is null then 0 else 1 end)::bigint as "isHeld", fault_nano as fault, variance_nano as variance,
         node_loss_nano as "nodeLoss"
       from settlements where call_id > $1 and admitted_at >= $2 and admitted_at < $3 ${account} order by call_id limit $4`,
      [firstCall(query, step.start), fromMs, toMs, limit],
    );
    const entries = await connection.rows<EntryRow>(
      `select id::bigint as id, at, account_id::bigint as account, kind, amount_nano as amount, reference, call_id as call
       from entries where id > $1 and at >= $2 and at < $3 ${account} order by id limit $4`,
      [step.start.entry, fromMs, toMs, limit],
    );
    return pageOf(step, mergeRows(settled, entries, step.start, limit));
  });
}
