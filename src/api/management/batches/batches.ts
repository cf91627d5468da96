/** Handlers for batches: list, read, cancel. */
import type { KeyRegistry } from '../../../accounts/key-registry.ts';
import type { ScopeMirror } from '../../../accounts/scope-mirror.ts';
import {
  BATCH_STATUSES,
  type BatchQuery,
  type BatchRow,
  type BatchStatus,
  type BatchStore,
  hasEnded,
} from '../../../batches/ports.ts';
import type { Clock } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import { type AccountId, accountId, type BatchId, keyId, parseBatchId, projectId } from '../../../core/ids.ts';
import { isAtLeast } from '../../../members/roles.ts';
import type { batchRoutes } from '../../contract/batches.ts';
import type { Context, Handlers } from '../door/handler.ts';
import { isAdmin } from '../keys/find-key.ts';
import { describeBatch, describeWholeBatch } from './describe-batch.ts';

export interface BatchServices {
  readonly batches: Pick<BatchStore, 'search' | 'read' | 'cancel'>;
  readonly keys: Pick<KeyRegistry, 'get'>;
  readonly scopes: Pick<ScopeMirror, 'account' | 'findProject'>;
  readonly clock: Clock;
  /** Called when a batch is to be cancelled. */
  readonly onChange: () => void;
}

export function batchHandlers(services: BatchServices): Handlers<typeof batchRoutes> {
  const { batches, scopes, clock, onChange } = services;
  return {
    async listAccountBatches(context, { query }) {
      const { rows, next } = await pageOf(services, { ...askedOf(query), accountId: context.account.id });
      const data = rows.map((row) => describeBatch(services, row, mayCancel(services, context, row)));
      return { data, next_cursor: next };
    },

    async listAllBatches(_context, { query }) {
      const asked = { ...askedOf(query), accountId: query.account === undefined ? null : accountId(query.account) };
      const { rows, next } =
        query.reference === undefined ? await pageOf(services, asked) : await named(services, query.reference);
      const data = rows.map((row) => {
        const { id, name } = scopes.account(row.accountId);
        return { ...describeBatch(services, row, true), account: { id, name } };
      });
      return { data, next_cursor: next };
    },

    async readAccountBatch(context, { params }) {
      const row = await find(services, context.account.id, params.batch);
      return { data: describeWholeBatch(services, row, mayCancel(services, context, row)) };
    },

    async cancelAccountBatch(context, { params }) {
      const found = await find(services, context.account.id, params.batch);
      checkMayCancel(services, context, found);
      const cancelled = await context.change(async () => {
        const before = await find(services, context.account.id, params.batch);
        if (before.status === 'cancelling' || before.status === 'cancelled') return before;
        const after = await batches.cancel(before.projectId, before.id, clock.now());
        if (after === null) throw noBatch();
        if (after.status !== 'cancelling') throw cannotCancel(after);
        await context.audit({
          action: 'batch.cancel',
          subject: { kind: 'batch', id: after.id, name: null },
          before: { status: before.status },
          after: { status: after.status },
        });
        return after;
      });
      onChange();
      return { data: describeWholeBatch(services, cancelled, true) };
    },
  };
}

interface Page {
  readonly rows: readonly BatchRow[];
  readonly next: string | null;
}

async function pageOf({ batches }: BatchServices, query: BatchQuery): Promise<Page> {
  const { limit } = query;
  const rows = await batches.search({ ...query, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

async function named({ batches }: BatchServices, reference: string): Promise<Page> {
  const id = parseBatchId(reference);
  const row = id === null ? null : await batches.read(id);
  return { rows: row === null ? [] : [row], next: null };
}

interface Asked {
  readonly project?: number | undefined;
  readonly key?: number | undefined;
  readonly status?: BatchStatus | 'open' | 'ended' | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** A project or key of another account leads to nothing: the account is asked for, too. */
function askedOf({ project, key, status, cursor, limit }: Asked): Omit<BatchQuery, 'accountId'> {
  return {
    projectId: project === undefined ? null : projectId(project),
    keyId: key === undefined ? null : keyId(key),
    statuses: status === undefined ? null : statusesOf(status),
    after: cursor === undefined ? null : readCursor(cursor),
    limit,
  };
}

function statusesOf(status: BatchStatus | 'open' | 'ended'): readonly BatchStatus[] {
  if (status !== 'open' && status !== 'ended') return [status];
  return BATCH_STATUSES.filter((each) => hasEnded(each) === (status === 'ended'));
}

function readCursor(text: string): BatchId {
  const id = parseBatchId(text);
  if (id === null)
    throw new GatewayError('invalid_value', {
      message: 'cursor is invalid; use the one from the previous page.',
      param: 'cursor',
    });
  return id;
}

/** Throws `GatewayError` `not_found`, also for a batch of another account. */
async function find({ batches }: BatchServices, account: AccountId, reference: string): Promise<BatchRow> {
  const id = parseBatchId(reference);
  const row = id === null ? null : await batches.read(id);
  if (row === null || row.accountId !== account) throw noBatch();
  return row;
}

/** As `checkMayCancel` says, with the role that the route needs. */
function mayCancel({ keys }: BatchServices, { role, actorId }: Context, { keyId: id }: BatchRow): boolean {
  if (isAtLeast(role, 'admin')) return true;
  return isAtLeast(role, 'developer') && keys.get(id)?.createdBy === actorId;
}

/** Whoever may revoke the key that made it. Throws `GatewayError` `permission_denied`. */
function checkMayCancel({ keys }: BatchServices, context: Context, row: BatchRow): void {
  if (isAdmin(context)) return;
  const key = keys.get(row.keyId);
  if (key?.createdBy !== context.actorId)
    throw new GatewayError('permission_denied', {
      message: 'Developers can only cancel batches of keys they created.',
    });
}

function noBatch(): GatewayError {
  return new GatewayError('not_found', { message: 'The batch does not exist.', param: 'batch' });
}

function cannotCancel({ id, status }: BatchRow): GatewayError {
  return new GatewayError('conflict', { message: `The batch ${id} cannot be cancelled: it is ${status}.` });
}
