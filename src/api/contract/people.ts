/** Routes of the installation's people, for operators: who is an operator, and who may sign in. */
import * as z from 'zod';
import { count, id, named, nextCursor, nothing, time, timeOrNull } from './fields.ts';
import { declare } from './route.ts';
import { role } from './sign-in.ts';

const personOut = z.strictObject({
  id,
  email: z.string(),
  name: z.string(),
  is_operator: z.boolean(),
  /** Null for people who may sign in. */
  disabled_at: timeOrNull,
  totp: z.boolean(),
  created_at: time,
  /** When one of their sessions was last used. */
  last_seen_at: timeOrNull,
  accounts: z.array(named.extend({ role })),
});
const operator = { needs: 'operator', doors: ['dashboard', 'control'] } as const;

export const peopleRoutes = {
  listPeople: declare({
    ...operator,
    method: 'GET',
    path: '/people',
    summary: 'List people, oldest first',
    params: nothing,
    query: z.strictObject({
      /** Part of the name or of the email address. */
      search: z.string().max(200).optional(),
      /** Operators only. */
      operators: z.enum(['true', 'false']).default('false'),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    body: nothing,
    answer: z.strictObject({ data: z.array(personOut), next_cursor: nextCursor }),
  }),
  updatePerson: declare({
    ...operator,
    method: 'PATCH',
    path: '/people/:person',
    summary: 'Grant or remove the operator role; disable or enable a person. The last operator keeps the role',
    params: z.strictObject({ person: z.string().max(254).meta({ description: 'The id or email address.' }) }),
    query: nothing,
    body: z.strictObject({ operator: z.boolean().optional(), disabled: z.boolean().optional() }),
    answer: z.strictObject({
      data: personOut,
      /** What was revoked or disabled with it. */
      ended: z.strictObject({
        management_keys: count.meta({
          description:
            'Management keys they created: disabled with the person, or revoked where they are no longer an admin.',
        }),
        invitations: count.meta({ description: 'Their pending invitations, which were cancelled.' }),
      }),
    }),
  }),
};
