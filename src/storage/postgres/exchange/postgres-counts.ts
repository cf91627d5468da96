/** Counts of calls, exchanged through PostgreSQL: a row for each key, project or account and each process that has counted calls of it. */
import type {
  CountAnswer,
  CountBatch,
  CountExchange,
  OwnCounts,
  ScopeRef,
  SettledToday,
  StoredCounts,
} from '../../../limits/ports.ts';
import type { Role } from '../engine/role.ts';
import { sharedTypes } from '../engine/value-types.ts';

const PERIOD_MS = 1_000;
const ANNOUNCED_KEPT_MS = 120_000;
/** Hears again what was committed late. */
const HEARD_AGAIN_MS = 1_000;
const HEARD_MAX = 5_000;

const SEND = `
  insert into shared_counts as c (
    scope, id, counter, minute, day, requests, requests_before, tokens, tokens_before, today, running, sent_at, share, used, asked, said_at
  )
  select scope, id, $1::text, $2::bigint, $3::integer, requests, requests_before, tokens, tokens_before, today, running, ${now()},
    share, used, asked, said_at
  from unnest(
    $4::smallint[], $5::integer[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[],
    $13::bigint[], $14::bigint[], $15::bigint[]
  ) as sent(scope, id, requests, requests_before, tokens, tokens_before, today, running, share, used, asked, said_at)
  order by scope, id
  on conflict (scope, id, counter) do update set
    minute = excluded.minute, day = excluded.day, requests = excluded.requests, requests_before = excluded.requests_before,
    tokens = excluded.tokens, tokens_before = excluded.tokens_before, today = excluded.today, running = excluded.running,
    sent_at = excluded.sent_at, share = excluded.share, used = excluded.used, asked = excluded.asked, said_at = excluded.said_at`;

/** After what was sent is committed: of two nodes that send at the same time, one at least reads what the other one has sent. */
const READ = `
  select sent.place, c.minute, c.day, c.requests, c.requests_before, c.tokens, c.tokens_before, c.today, c.running, c.sent_at,
    c.share, c.used, c.asked, c.said_at
  from unnest($4::smallint[], $5::integer[]) with ordinality as sent(scope, id, place)
  join shared_counts as c on c.scope = sent.scope and c.id = sent.id
  where c.counter <> $1 and (c.minute >= $2 - 1 or (c.day >= $3 and c.today > 0))`;

const ANNOUNCE = `
  with announced as (
    insert into shared_announcements as a select distinct scope, id, ${now()} from unnest($2::smallint[], $3::integer[]) as sent(scope, id)
    order by scope, id
    on conflict (scope, id) do update set at = excluded.at
  )
  select ${now()} as now, array(
    select scope || ' ' || id from shared_announcements where at >= least($1::bigint, ${now()}) - ${HEARD_AGAIN_MS} order by at limit ${HEARD_MAX}
  ) as heard`;

/** Each in its own statement, so that they lock few rows for a moment. */
const FORGET = [
  'delete from shared_counts where minute < $1::bigint - 1 and (day < $2::integer or today = 0)',
  `delete from shared_announcements where at < ${now()} - ${ANNOUNCED_KEPT_MS} and $1::bigint > $2::integer`,
];

const SETTLED = `
  select asked.place, sum(calls)::bigint as calls
  from unnest($1::smallint[], $2::integer[]) with ordinality as asked(scope, id, place)
  join spending_days on spending_days.kind = asked.scope and spending_days.id = asked.id and spending_days.day = $3::integer
  group by asked.place`;

const CODES = { key: 1, project: 2, account: 3 } as const;
const SCOPES = [undefined, 'key', 'project', 'account'] as const;

export class PostgresCounts implements CountExchange, SettledToday {
  readonly name = 'database';
  readonly periodMs = PERIOD_MS;
  readonly #role: Role;
  #forgottenMinute = 0;

  constructor(role: Role) {
    this.#role = role;
  }

  async exchange(batch: CountBatch): Promise<CountAnswer> {
    const [others, heard] = await Promise.all([this.#send(batch), this.#announce(batch)]);
    if (batch.minute !== this.#forgottenMinute) {
      this.#forgottenMinute = batch.minute;
      for (const text of FORGET) await this.#role.query({ text, values: [batch.minute, batch.day] });
    }
    return { others, ...heard };
  }

  async callsOf(scopes: readonly ScopeRef[], day: number): Promise<readonly number[]> {
    const values = [scopes.map(codeOf), scopes.map(({ id }) => id), day];
    const { rows } = await this.#role.query<Settled>({ text: SETTLED, values, types: sharedTypes });
    const calls = scopes.map(() => 0);
    for (const row of rows) calls[row.place - 1] = row.calls;
    return calls;
  }

  async #send({ counter, minute, day, counts }: CountBatch): Promise<StoredCounts[][]> {
    const others: StoredCounts[][] = counts.map(() => []);
    if (counts.length === 0) return others;
    const column = (read: (own: OwnCounts) => number) => counts.map(read);
    const batch = [counter, minute, day, column(codeOf), column(({ id }) => id)];
    const values = [
      ...batch,
      column(({ requests }) => requests),
      column(({ requestsBefore }) => requestsBefore),
      column(({ tokens }) => tokens),
      column(({ tokensBefore }) => tokensBefore),
      column(({ today }) => today),
      column(({ running }) => running),
      column(({ share }) => share),
      column(({ used }) => used),
      column(({ asked }) => asked),
      column(({ at }) => Math.floor(at)),
    ];
    await this.#role.query({ text: SEND, values });
    const { rows } = await this.#role.query<CountRow>({ text: READ, values: batch, types: sharedTypes });
    for (const { place, requests_before, tokens_before, sent_at, said_at, ...row } of rows)
      others[place - 1]?.push({
        ...row,
        requestsBefore: requests_before,
        tokensBefore: tokens_before,
        sentAt: sent_at,
        at: said_at,
      });
    return others;
  }

  async #announce({ announced, heardAt }: CountBatch): Promise<Pick<CountAnswer, 'announced' | 'nowMs'>> {
    const values = [heardAt, announced.map(codeOf), announced.map(({ id }) => id)];
    const { rows } = await this.#role.query<HeardRow>({ text: ANNOUNCE, values, types: sharedTypes });
    const [row] = rows;
    if (row === undefined) throw new Error('PostgreSQL did not answer');
    return { nowMs: row.now, announced: readHeard(row.heard) };
  }
}

interface CountRow extends Omit<StoredCounts, 'requestsBefore' | 'tokensBefore' | 'sentAt' | 'at'> {
  readonly place: number;
  readonly requests_before: number;
  readonly tokens_before: number;
  readonly sent_at: number;
  readonly said_at: number;
}

interface HeardRow {
  readonly now: number;
  /** An array of texts as PostgreSQL writes it: `{"1 12","3 4"}`. */
  readonly heard: string;
}

interface Settled {
  readonly place: number;
  readonly calls: number;
}

function codeOf({ scope }: ScopeRef): number {
  return CODES[scope];
}

function readHeard(text: string): ScopeRef[] {
  const words = text === '{}' ? [] : text.slice(1, -1).split(',');
  return words.flatMap((word) => {
    const [code, id] = word.replaceAll('"', '').split(' ');
    const scope = SCOPES[Number(code)];
    return scope === undefined ? [] : [{ scope, id: Number(id) }];
  });
}

/** The clock of the database; not of the transaction, which may have begun earlier. */
function now(): string {
  return '(extract(epoch from clock_timestamp()) * 1000)::bigint';
}
