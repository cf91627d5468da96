/** Statements about stored bodies; the bodies of one UTC day are a partition. */
import type { SealedCapture } from '../../../capture/ports.ts';
import { dayStart } from '../../../core/calendar.ts';
import {
  type AccountId,
  accountId,
  type CallId,
  callIdBytes,
  callIdFromBytes,
  firstCallIdAt,
} from '../../../core/ids.ts';
import type { Role } from '../engine/role.ts';
import { binaryArray } from '../records/binary-array.ts';

/** Rows deleted by one statement. */
const DELETE_ROWS = 256;
/** The part of a sealed value that identifies its key: version and key id. */
const HEAD_BYTES = 9;

/** What an account has stored of one day. */
export interface AccountsDay {
  readonly accountId: AccountId;
  /** When the last of it expires, wall time, ms. */
  readonly expiresAt: number;
}

export class CaptureTable {
  readonly #role: Role;

  constructor(role: Role) {
    this.#role = role;
  }

  /** In one transaction; throws if it could not be written, and then nothing is. The calls differ. */
  async insert(captures: readonly SealedCapture[]): Promise<void> {
    await this.#role.query(
      `insert into captures.bodies (call_id, account_id, expires_at, sealed)
       select * from unnest($1::bytea[], $2::integer[], $3::bigint[], $4::bytea[])
       on conflict (call_id) do update
         set account_id = excluded.account_id, expires_at = excluded.expires_at, sealed = excluded.sealed`,
      [
        binaryArray(
          'bytea',
          captures.map(({ callId }) => callIdBytes(callId)),
        ),
        binaryArray(
          'integer',
          captures.map((each) => each.accountId),
        ),
        binaryArray(
          'bigint',
          captures.map(({ expiresAt }) => expiresAt),
        ),
        binaryArray(
          'bytea',
          captures.map(({ sealed }) => sealed),
        ),
      ],
    );
  }

  async find(account: AccountId, callId: CallId): Promise<SealedCapture | null> {
    const { rows } = await this.#role.query<CaptureRow>(
      'select * from captures.bodies where call_id = $1 and account_id = $2',
      [callIdBytes(callId), account],
    );
    const [row] = rows;
    if (row === undefined) return null;
    return {
      callId: callIdFromBytes(row.call_id),
      accountId: accountId(row.account_id),
      expiresAt: Number(row.expires_at),
      sealed: row.sealed,
    };
  }

  async accountsOn(day: number): Promise<readonly AccountsDay[]> {
    const { rows } = await this.#role.query<{ account_id: number; expires_at: bigint }>(
      `select account_id, max(expires_at) as expires_at from captures.bodies
       where call_id >= $1 and call_id < $2 group by account_id`,
      spanOf(day),
    );
    return rows.map((row) => ({ accountId: accountId(row.account_id), expiresAt: Number(row.expires_at) }));
  }

  async isEmpty(day: number): Promise<boolean> {
    const { count } = await this.#role.query(
      'select 1 from captures.bodies where call_id >= $1 and call_id < $2 limit 1',
      spanOf(day),
    );
    return count === 0;
  }

  async delete(account: AccountId, callId: CallId): Promise<boolean> {
    const { count } = await this.#role.query('delete from captures.bodies where call_id = $1 and account_id = $2', [
      callIdBytes(callId),
      account,
    ]);
    return count > 0;
  }

  /** Deletes what an account has of a day that has expired at `nowMs`, or whose call was admitted at `admittedTo` or before. Returns how many. */
  async deleteFrom(day: number, account: AccountId, nowMs: number, admittedTo: number): Promise<number> {
    const [from, to] = spanOf(day);
    const old = callIdBytes(firstCallIdAt(Math.min(Math.max(0, admittedTo + 1), dayStart(day + 1))));
    for (let deleted = 0; ; ) {
      const { count } = await this.#role.query(
        `delete from captures.bodies where call_id in (
           select call_id from captures.bodies
           where call_id >= $1 and call_id < $2 and account_id = $3 and (expires_at <= $4 or call_id < $5) limit ${DELETE_ROWS})`,
        [from, to, account, nowMs, old],
      );
      deleted += count;
      if (count < DELETE_ROWS) return deleted;
    }
  }

  async heads(): Promise<readonly Uint8Array[]> {
    const { rows } = await this.#role.query<{ head: Uint8Array }>(
      `select distinct substring(sealed from 1 for ${HEAD_BYTES}) as head from captures.bodies`,
    );
    return rows.map(({ head }) => head);
  }
}

function spanOf(day: number): readonly [from: Uint8Array, to: Uint8Array] {
  return [callIdBytes(firstCallIdAt(dayStart(day))), callIdBytes(firstCallIdAt(dayStart(day + 1)))];
}

interface CaptureRow {
  readonly call_id: Uint8Array;
  readonly account_id: number;
  readonly expires_at: bigint;
  readonly sealed: Uint8Array;
}
