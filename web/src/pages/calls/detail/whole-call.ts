import type { Answer } from '../../../api/client.ts';

/** A call with everything that is known of it. */
export type WholeCall = Answer<'readCall'>['data'];
