/**
 * The secrets of an installation on PostgreSQL. Pepper and master key come from the configuration and are the same on every node, which
 * the database checks by their digests; the keys of the ring are rows, encrypted with the master key.
 */
import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../../core/clock.ts';
import type { Feed } from '../../../core/feed.ts';
import { Secret } from '../../../core/secret.ts';
import type { Transactions } from '../../../core/transactions.ts';
import type { GivenSecrets, RingEntry, RingStore, RingTopics, Secrets } from '../../../credentials/ports.ts';
import { checkSecret } from '../../folder/secret-file.ts';
import type { Schema } from '../../sql/schema.ts';
import type { UnreadableRows } from '../../sql/unreadable-rows.ts';
import { UnusableDatabase } from '../engine/explain-connection.ts';
import { digestOf, idOfKey, MasterKey } from './master-key.ts';

export interface DatabaseSecretsParts {
  readonly kysely: Kysely<Schema>;
  readonly transactions: Transactions;
  readonly clock: Pick<Clock, 'now'>;
  readonly feed: Pick<Feed<RingTopics>, 'publish'>;
  readonly unreadable: UnreadableRows;
}

const KEY_BYTES = 32;

/**
 * The first node of an installation writes what identifies its secrets, and a key. Throws `UnusableDatabase` if a secret is missing, or is
 * another one than that of the installation.
 */
export function openDatabaseSecrets(given: GivenSecrets, parts: DatabaseSecretsParts): Promise<Secrets> {
  const pepper = givenSecret(given.pepper, 'pepper', 'TURNPIKE_PEPPER');
  const master = givenSecret(given.sealingKey, 'sealingKey', 'TURNPIKE_SEALING_KEY');
  const { transactions, clock } = parts;
  const ring = new DatabaseRing(new MasterKey(master), parts);
  return transactions.run(async () => {
    for (const { option, fact, digest } of secretDigests({ pepper, sealingKey: master }))
      await checkDigest(parts.kysely, { option, fact, digest });
    let sealingKeys = await ring.read();
    // Also if the active one cannot be read: a retired one must not become active again.
    if (sealingKeys[0]?.retiredAt !== null) {
      await ring.add({ secret: new Secret(randomBytes(KEY_BYTES).toString('hex')), retiredAt: null }, clock.now());
      sealingKeys = await ring.read();
    }
    return { pepper, sealingKeys, ringStore: ring };
  });
}

function givenSecret(secret: Secret | null, option: string, variable: string): Secret {
  if (secret === null)
    throw new UnusableDatabase(`With a database ${option} (${variable}) must be set, to the same value on every node.`);
  return checkSecret(secret.reveal(), `the given ${option}`);
}

interface SecretDigest {
  readonly option: string;
  /** The name of the fact that has it. */
  readonly fact: string;
  readonly digest: string;
}

/** What identifies an installation, wherever its database is; reveals nothing of the pepper. */
export function installationOf(pepper: Secret): string {
  return digestOf(pepper, 'pepper');
}

/** What identifies each of these secrets; nothing of those that are not given. */
export function secretDigests({ pepper, sealingKey }: GivenSecrets): readonly SecretDigest[] {
  return [
    ...(pepper === null
      ? []
      : [{ option: 'pepper (TURNPIKE_PEPPER)', fact: 'pepper_digest', digest: installationOf(pepper) }]),
    ...(sealingKey === null
      ? []
      : [
          {
            option: 'sealingKey (TURNPIKE_SEALING_KEY)',
            fact: 'sealingKey_digest',
            digest: digestOf(sealingKey, 'master key'),
          },
        ]),
  ];
}

/** The first node writes it. */
async function checkDigest(kysely: Kysely<Schema>, { option, fact, digest }: SecretDigest): Promise<void> {
  await kysely
    .insertInto('facts')
    .values({ name: fact, value: digest })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { value } = await kysely.selectFrom('facts').select('value').where('name', '=', fact).executeTakeFirstOrThrow();
  if (value !== digest)
    throw new UnusableDatabase(
      `This database belongs to an installation with another ${option}. Set ${option} to the value that its other nodes have; for a second ` +
        'installation create another database.',
    );
}

interface KeyRow {
  readonly id: Uint8Array;
  readonly wrapped: Uint8Array;
  readonly retired_at: number | null;
}

/** Keys that other nodes have added since are kept. */
class DatabaseRing implements RingStore {
  readonly #master: MasterKey;
  readonly #parts: DatabaseSecretsParts;
  #known: readonly RingEntry[] = [];

  constructor(master: MasterKey, parts: DatabaseSecretsParts) {
    this.#master = master;
    this.#parts = parts;
  }

  /** The active key first, then those that were retired, the last one first. */
  async read(): Promise<readonly RingEntry[]> {
    const { rows } = await sql<KeyRow>`
      select id, wrapped, retired_at from sealing_keys
      order by retired_at is not null, created_at desc, retired_at desc`.execute(this.#parts.kysely);
    // What was sealed with a key that cannot be read is reported where it is needed; everything else can be opened.
    this.#known = rows.flatMap(({ id, wrapped, retired_at }) =>
      this.#parts.unreadable.read(
        'sealing key',
        Buffer.from(id).toString('hex'),
        () => [{ secret: this.#master.unwrap(id, wrapped), retiredAt: retired_at }],
        () => [],
      ),
    );
    return this.#known;
  }

  async add({ secret, retiredAt }: RingEntry, createdAt: number): Promise<void> {
    const id = idOfKey(secret);
    await sql`
      insert into sealing_keys (id, wrapped, created_at, retired_at)
      values (${id}, ${this.#master.wrap(id, secret)}, ${createdAt}, ${retiredAt})
      on conflict (id) do update set retired_at = excluded.retired_at`.execute(this.#parts.kysely);
  }

  async replace(entries: readonly RingEntry[]): Promise<void> {
    const { kysely, transactions, clock, feed } = this.#parts;
    const kept = new Set(entries.map(({ secret }) => secret.reveal()));
    await transactions.run(async () => {
      for (const entry of entries) await this.add(entry, clock.now());
      for (const { secret } of this.#known)
        if (!kept.has(secret.reveal()))
          await sql`delete from sealing_keys where id = ${idOfKey(secret)}`.execute(kysely);
      // It is read again as a whole.
      await feed.publish('sealingKeys', 'all', (seq) => ({ seq }));
    });
    this.#known = entries;
  }
}
