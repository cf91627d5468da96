/** Connections are killed, the database writes no more, then is slow, `TURNPIKE_PROVE_BAD_SECONDS` each: calls go on, exactly. */
import { badDatabase } from './support/nodes/bad-database.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('nodes-bad-database', () => badDatabase(countFrom('TURNPIKE_PROVE_BAD_SECONDS', 30)));
