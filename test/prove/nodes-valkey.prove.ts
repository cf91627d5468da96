/** Valkey is emptied, hung, killed and started again under load: no call fails. */
import { valkeyDown } from './support/nodes/valkey-down.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('nodes-valkey', () => valkeyDown(countFrom('TURNPIKE_PROVE_VALKEY_SECONDS', 10) * 1_000));
