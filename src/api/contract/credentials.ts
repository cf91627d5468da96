/** Routes of the keys that encrypt secrets in the database. Answers have ids of keys and names of sealed values, never the values. */
import * as z from 'zod';
import { count, nothing } from './fields.ts';
import { declare, forCommands } from './route.ts';

const answer = z.strictObject({
  data: z.strictObject({
    /** 16 hexadecimal digits. */
    active_key: z.string(),
    older_keys: count,
    sealed: count,
    under_active_key: count,
    /** `provider:<name>`, `totp:<user id>`. */
    unopened: z.array(z.string()),
  }),
});

export const credentialRoutes = {
  checkCredentials: declare({
    ...forCommands,
    method: 'GET',
    path: '/credentials',
    summary: 'Check that every encrypted value can be decrypted',
    params: nothing,
    query: nothing,
    body: nothing,
    answer,
  }),
  rotateCredentials: declare({
    ...forCommands,
    method: 'POST',
    path: '/credentials/rotate',
    summary: 'Create a new sealing key and re-encrypt everything with it',
    params: nothing,
    query: nothing,
    body: nothing,
    answer,
  }),
};
