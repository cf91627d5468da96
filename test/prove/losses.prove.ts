/** Every value of every golden request and answer, and of the recorded ones: no translation leaves one out in silence. */
import { losses } from './support/losses.ts';
import { prove } from './support/prove.ts';

await prove('losses', async () => losses());
