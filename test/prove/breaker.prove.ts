/**
 * Under steady load on the real program: one bad provider of three is not its callers' problem; when all fail, they are not asked much more
 * often; and callers that leave make no provider rest. `TURNPIKE_PROVE_BREAKER_RATE`: calls per second.
 */
import { breakers } from './support/breaker.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('breaker', (seed) => breakers(countFrom('TURNPIKE_PROVE_BREAKER_RATE', 50), seed));
