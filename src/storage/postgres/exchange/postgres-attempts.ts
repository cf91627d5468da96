/** Attempts to sign in, in PostgreSQL: each is one statement that locks its row, so of any number at once each counts. */
import type { AttemptStore } from '../../../members/ports.ts';
import type { Role } from '../engine/connections.ts';
import { sharedTypes } from '../engine/value-types.ts';

const TAKE = 'select turnpike_take_token_1($1::bytea, $2::bigint, $3::bigint, $4::bigint) as wait';
const GIVE_BACK = 'update attempts set next_at = next_at - $2::bigint where subject = $1::bytea';
const COUNT =
  'select turnpike_attempt_1($1::bytea, $2::bigint, $3::integer, $4::bigint, $5::bigint, $6::bigint) as wait';
const FORGET = 'delete from attempts where subject = $1::bytea';
const DELETE = 'delete from attempts where last_at < $1::bigint and next_at < $1::bigint';

export class PostgresAttempts implements AttemptStore {
  readonly #role: Role;

  constructor(role: Role) {
    this.#role = role;
  }

  takeToken(...[subject, { burst, everyMs }, now]: Parameters<AttemptStore['takeToken']>): Promise<number> {
    return this.#wait(TAKE, [subject, Math.floor(now), burst, everyMs]);
  }

  async giveBackToken(...[subject, { everyMs }]: Parameters<AttemptStore['giveBackToken']>): Promise<void> {
    await this.#role.query(GIVE_BACK, [subject, everyMs]);
  }

  countFailure(...[subject, rule, now]: Parameters<AttemptStore['countFailure']>): Promise<number> {
    const { free, firstWaitMs, waitMaxMs, forgottenMs } = rule;
    return this.#wait(COUNT, [subject, Math.floor(now), free, firstWaitMs, waitMaxMs, forgottenMs]);
  }

  async forget(subject: Uint8Array): Promise<void> {
    await this.#role.query(FORGET, [subject]);
  }

  async deleteForgotten(before: number): Promise<void> {
    await this.#role.query(DELETE, [Math.floor(before)]);
  }

  async #wait(text: string, values: readonly unknown[]): Promise<number> {
    const { rows } = await this.#role.query<{ wait: number }>({ text, values, types: sharedTypes });
    return rows[0]?.wait ?? 0;
  }
}
