/**
 * Migration `0004_makers`: never changed after its release. Records which management key created an invitation. For open invitations
 * it is read from the audit log, which has an entry for each of them.
 */
import { type Kysely, sql } from 'kysely';

export async function addMakers(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('links').addColumn('created_by_key', 'integer').execute();
  await sql`
    update links set created_by_key = (
      select actor_id from audit
      where action = 'invitation.create' and actor_kind = 'key' and subject_id = cast(links.id as text)
        and audit.account_id = links.account_id and audit.at >= links.created_at
      order by audit.id desc limit 1
    )
    where purpose = 'invitation' and created_by is null and used_at is null
  `.execute(database);
}
