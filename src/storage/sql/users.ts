/** People who sign in and their sessions, in SQL written once for every database. */
import { type ExpressionBuilder, type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import type {
  NewUser,
  OperatorGuarded,
  PeopleQuery,
  Session,
  SessionId,
  SignedIn,
  User,
  UserChanges,
  UserId,
  UserStore,
} from '../../members/ports.ts';
import { SqlLinkStore } from './links.ts';
import type { SessionRow, UserRow } from './rows/people-rows.ts';
import type { Schema } from './schema.ts';
import { readable, storedTexts } from './stored-json.ts';

export class SqlUserStore extends SqlLinkStore implements UserStore {
  readonly #database: Kysely<Schema>;

  constructor(database: Kysely<Schema>) {
    super(database);
    this.#database = database;
  }

  async createUser(user: NewUser): Promise<User | null> {
    const row = await this.#database
      .insertInto('users')
      .values({
        email: user.email,
        name: user.name,
        password_hash: user.passwordHash,
        is_operator: user.isOperator ? 1 : 0,
        created_at: user.createdAt,
        email_confirmed_at: user.emailConfirmedAt,
      })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? null : readUser(row);
  }

  async updateUser(id: UserId, changes: UserChanges): Promise<User | null> {
    const columns = columnsOf(changes);
    if (Object.keys(columns).length > 0)
      await this.#database.updateTable('users').set(columns).where('id', '=', id).execute();
    return this.user(id);
  }

  async user(id: UserId): Promise<User | null> {
    const row = await this.#database.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : readUser(row);
  }

  async userByEmail(email: string): Promise<User | null> {
    const row = await this.#database.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
    return row === undefined ? null : readUser(row);
  }

  async users(ids: readonly UserId[]): Promise<readonly User[]> {
    if (ids.length === 0) return [];
    const rows = await this.#database.selectFrom('users').selectAll().where('id', 'in', ids).orderBy('id').execute();
    return rows.map(readUser);
  }

  async people({ search, operators, after, limit }: PeopleQuery): Promise<readonly User[]> {
    let rows = this.#database.selectFrom('users').selectAll().orderBy('id').limit(limit);
    if (after !== null) rows = rows.where('id', '>', after);
    if (operators) rows = rows.where('is_operator', '=', 1);
    if (search !== '')
      rows = rows.where(({ eb, or, fn }) =>
        or([
          eb(fn('instr', ['email', sql.val(search)]), '>', 0),
          eb(fn('instr', [fn('lower', ['name']), sql.val(search)]), '>', 0),
        ]),
      );
    return (await rows.execute()).map(readUser);
  }

  async unmakeOperatorButLast(id: UserId): Promise<OperatorGuarded> {
    const { numUpdatedRows } = await this.#database
      .updateTable('users')
      .set({ is_operator: 0 })
      .where('id', '=', id)
      .where((row) => leavesAnOperator(row, id))
      .executeTakeFirst();
    return numUpdatedRows > 0n ? 'done' : this.#whyNot(id);
  }

  async disableButLastOperator(id: UserId, at: number): Promise<OperatorGuarded> {
    const { numUpdatedRows } = await this.#database
      .updateTable('users')
      .set({ disabled_at: at })
      .where('id', '=', id)
      .where((row) => leavesAnOperator(row, id))
      .executeTakeFirst();
    return numUpdatedRows > 0n ? 'done' : this.#whyNot(id);
  }

  async #whyNot(id: UserId): Promise<OperatorGuarded> {
    return (await this.user(id)) === null ? 'no_user' : 'last_operator';
  }

  async operators(): Promise<number> {
    const { count } = await this.#database
      .selectFrom('users')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('is_operator', '=', 1)
      .where('disabled_at', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  async oldestOperator(): Promise<User | null> {
    const row = await this.#database
      .selectFrom('users')
      .selectAll()
      .where('is_operator', '=', 1)
      .orderBy(sql`case when disabled_at is null then 0 else 1 end`)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    return row === undefined ? null : readUser(row);
  }

  async takeTotpStep(id: UserId, step: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('users')
      .set({ totp_last_step: step })
      .where('id', '=', id)
      .where(({ eb, or }) => or([eb('totp_last_step', 'is', null), eb('totp_last_step', '<', step)]))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  takeRecoveryCode(id: UserId, digest: string): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom('users')
        .select('recovery_codes')
        .where('id', '=', id)
        .executeTakeFirst();
      const before = row === undefined ? [] : readable('user', id, () => storedTexts(row.recovery_codes));
      const left = before.filter((each) => each !== digest);
      if (row === undefined || left.length === before.length) return false;
      const { numUpdatedRows } = await transaction
        .updateTable('users')
        .set({ recovery_codes: JSON.stringify(left) })
        .where('id', '=', id)
        // If transactions run concurrently, another one may have used it since it was read.
        .where('recovery_codes', '=', row.recovery_codes)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    });
  }

  async createSession(session: Omit<Session, 'id'>, digest: Uint8Array): Promise<Session> {
    const row = await this.#database
      .insertInto('sessions')
      .values({
        digest,
        user_id: session.userId,
        state: session.state,
        created_at: session.createdAt,
        last_seen_at: session.lastSeenAt,
        expires_at: session.expiresAt,
        ip: session.ip,
        user_agent: session.userAgent,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return readSession(row);
  }

  async sessionByDigest(digest: Uint8Array): Promise<SignedIn | null> {
    const row = await this.#database
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .selectAll('users')
      .select([
        'sessions.id as session_id',
        'sessions.state',
        'sessions.created_at as began_at',
        'sessions.last_seen_at',
        'sessions.expires_at',
        'sessions.ip',
        'sessions.user_agent',
      ])
      .where('sessions.digest', '=', digest)
      .executeTakeFirst();
    if (row === undefined) return null;
    const session = readSession({ ...row, id: row.session_id, user_id: row.id, created_at: row.began_at });
    return { session, user: readUser(row) };
  }

  async touchSession(id: SessionId, lastSeenAt: number, expiresAt: number): Promise<void> {
    await this.#database
      .updateTable('sessions')
      .set({ last_seen_at: lastSeenAt, expires_at: expiresAt })
      .where('id', '=', id)
      .execute();
  }

  async sessionsOf(userId: UserId): Promise<readonly Session[]> {
    const rows = await this.#database
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute();
    return rows.map(readSession);
  }

  async deleteSession(userId: UserId, id: SessionId): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('sessions')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  async deleteSessionsOf(userId: UserId, except: SessionId | null): Promise<void> {
    const all = this.#database.deleteFrom('sessions').where('user_id', '=', userId);
    await (except === null ? all : all.where('id', '!=', except)).execute();
  }

  async deleteSessionsBefore(expiresAt: number): Promise<void> {
    await this.#database.deleteFrom('sessions').where('expires_at', '<', expiresAt).execute();
  }
}

/** Whether the row is not an active operator, or there is another active one. */
function leavesAnOperator(row: ExpressionBuilder<Schema, 'users'>, id: UserId) {
  const others = row
    .selectFrom('users as others')
    .select(sql`1`.as('one'))
    .where('others.id', '<>', id)
    .where('others.is_operator', '=', 1)
    .where('others.disabled_at', 'is', null);
  return row.or([row('is_operator', '=', 0), row('disabled_at', 'is not', null), row.exists(others)]);
}

function columnsOf(changes: UserChanges): Updateable<UserRow> {
  const { email, name, passwordHash, isOperator, totpSecret, totpConfirmedAt, totpLastStep } = changes;
  const { recoveryCodes, emailConfirmedAt, disabledAt } = changes;
  return {
    ...(email === undefined ? {} : { email }),
    ...(name === undefined ? {} : { name }),
    ...(passwordHash === undefined ? {} : { password_hash: passwordHash }),
    ...(isOperator === undefined ? {} : { is_operator: isOperator ? 1 : 0 }),
    ...(totpSecret === undefined ? {} : { totp_secret: totpSecret }),
    ...(totpConfirmedAt === undefined ? {} : { totp_confirmed_at: totpConfirmedAt }),
    ...(totpLastStep === undefined ? {} : { totp_last_step: totpLastStep }),
    ...(recoveryCodes === undefined ? {} : { recovery_codes: JSON.stringify(recoveryCodes) }),
    ...(emailConfirmedAt === undefined ? {} : { email_confirmed_at: emailConfirmedAt }),
    ...(disabledAt === undefined ? {} : { disabled_at: disabledAt }),
  };
}

/** Throws `UnreadableRow`. */
function readUser(row: Selectable<UserRow>): User {
  return {
    id: row.id as UserId,
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash,
    isOperator: row.is_operator !== 0,
    totpSecret: row.totp_secret,
    totpConfirmedAt: row.totp_confirmed_at,
    totpLastStep: row.totp_last_step,
    recoveryCodes: readable('user', row.id, () => storedTexts(row.recovery_codes)),
    createdAt: row.created_at,
    emailConfirmedAt: row.email_confirmed_at,
    disabledAt: row.disabled_at,
  };
}

function readSession(row: Omit<Selectable<SessionRow>, 'digest'>): Session {
  return {
    id: row.id as SessionId,
    userId: row.user_id as UserId,
    state: row.state,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
    ip: row.ip,
    userAgent: row.user_agent,
  };
}
