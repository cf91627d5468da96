/** `TURNPIKE_PROVE_ABORTS` streams left after k tokens: each charged for k, and the provider's connection closed immediately. */
import { aborts } from './support/aborts.ts';
import { prove } from './support/prove.ts';
import { countFrom } from './support/seeded.ts';

await prove('aborts', (seed) => aborts(countFrom('TURNPIKE_PROVE_ABORTS', 10_000), seed));
