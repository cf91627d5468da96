/** Makes sure, whenever a connection to the replica is opened, that it has the database that is written to. */
import pg from 'pg';
import { connectionString } from '../engine/connection-string.ts';
import { explainConnection, READ_URL, UnusableDatabase } from '../engine/explain-connection.ts';
import { type Ask, checkIdentity, type Identity, readIdentity } from './identity.ts';

/** The database whose replica it has to be. Can be sent to a thread; the URL has a password, so it is never printed. */
export interface Replicated {
  readonly url: string;
  /** What it was at the start. */
  readonly identity: Identity;
}

/** A replica, and what it is one of. Can be sent to a thread. */
export interface ReplicaAddress {
  readonly url: string;
  readonly of: Replicated;
}

/** A report has two seconds, and the replica is to answer while the database is away. */
const ASK_MS = 1_000;
const PROBE_MS = 5_000;

export class CheckedReplica {
  readonly #readUrl: string;
  readonly #of: Replicated;
  /** What the database was when it last answered. */
  #identity: Identity;

  constructor({ url, of }: ReplicaAddress) {
    this.#readUrl = url;
    this.#of = of;
    this.#identity = of.identity;
  }

  /** Why it cannot be used, in a sentence that says what to do; null if it can. Takes ten seconds at most. */
  async complaint(): Promise<string | null> {
    const client = clientOf(this.#readUrl, PROBE_MS);
    try {
      await client.connect();
      await this.check((text) => client.query(text));
      return null;
    } catch (error) {
      return (error instanceof UnusableDatabase ? error : this.explain(error)).message;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Throws `UnusableDatabase` if `replica`, a connection to it, leads to another database. */
  async check(replica: Ask): Promise<void> {
    const [found] = await Promise.all([readIdentity(replica), this.#askDatabase()]);
    checkIdentity(this.#readUrl, found, this.#identity);
  }

  /** An error of a connection to it, in a sentence that names it. */
  explain(error: unknown): Error {
    return explainConnection(error, this.#readUrl, READ_URL);
  }

  /** It may have been restored since, and then is another one. One that does not answer is what it was. */
  async #askDatabase(): Promise<void> {
    const client = clientOf(this.#of.url, ASK_MS);
    try {
      await client.connect();
      this.#identity = await readIdentity((text) => client.query(text));
    } catch {
      // Whoever writes to it finds out that it is away.
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** Its waits are bounded: for the connection, and for each answer. */
function clientOf(url: string, ms: number): pg.Client {
  const client = new pg.Client({
    connectionString: connectionString(url),
    connectionTimeoutMillis: ms,
    query_timeout: ms,
    application_name: 'turnpike reports',
  });
  // An error of a connection rejects its statement; the event is the same error again.
  client.on('error', () => undefined);
  return client;
}
