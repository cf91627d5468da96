/** Notices of nodes, in PostgreSQL. */
import type { NoticeBoard, PostedNotice } from '../../../nodes/notices/ports.ts';
import type { Role } from '../engine/connections.ts';
import { sharedTypes } from '../engine/value-types.ts';

const PERIOD_MS = 1_000;
const KEPT_MS = 60_000;
/** Numbers are given before they are committed: the last ones are read again, for one that came late. */
const READ_AGAIN = 64;
const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

const EXCHANGE = `
  with posted as (
    insert into shared_notices (at, sender, body) select ${NOW}, $1::text, body from unnest($2::text[]) as sent(body) returning 1
  )
  select seq, sender, body from shared_notices where seq > $3::bigint and sender <> $1::text order by seq limit 1000`;
const LAST = 'select coalesce(max(seq), 0) as seq from shared_notices';
const FORGET = `delete from shared_notices where at < ${NOW} - ${KEPT_MS}`;

export class PostgresNotices implements NoticeBoard {
  readonly name = 'database';
  readonly periodMs = PERIOD_MS;
  readonly #role: Role;
  #last: number | null = null;
  readonly #seen = new Set<number>();
  #rounds = 0;

  constructor(role: Role) {
    this.#role = role;
  }

  async exchange(sender: string, bodies: readonly string[]): Promise<readonly PostedNotice[]> {
    this.#last ??= await this.#lastNumber();
    const from = this.#last - READ_AGAIN;
    const values = [sender, bodies, from];
    const { rows } = await this.#role.query<NoticeRow>({ text: EXCHANGE, values, types: sharedTypes });
    const isFirst = this.#seen.size === 0;
    const first = this.#last;
    const news = rows.filter(({ seq }) => !this.#seen.has(seq) && (!isFirst || seq > first));
    for (const { seq } of rows) this.#seen.add(seq);
    this.#last = Math.max(this.#last, rows.at(-1)?.seq ?? 0);
    for (const seq of this.#seen) if (seq <= this.#last - READ_AGAIN) this.#seen.delete(seq);
    this.#rounds += 1;
    if (this.#rounds % (KEPT_MS / PERIOD_MS) === 0) await this.#role.query(FORGET);
    return news.map(({ sender: by, body }) => ({ sender: by, body }));
  }

  async #lastNumber(): Promise<number> {
    const { rows } = await this.#role.query<{ seq: number }>({ text: LAST, types: sharedTypes });
    return rows[0]?.seq ?? 0;
  }
}

interface NoticeRow extends PostedNotice {
  readonly seq: number;
}
