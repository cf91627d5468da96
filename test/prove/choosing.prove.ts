/** All steps between a request and the candidates that serve it, in order: how long they take. */
import { choosing } from './support/choosing.ts';
import { prove } from './support/prove.ts';

await prove('choosing', async () => choosing());
