/** The route of the nodes of an installation: for operators, who start and stop them. */
import * as z from 'zod';
import { count, nothing, time, timeOrNull, usdOut } from './fields.ts';
import { declare } from './route.ts';

export const nodeRoutes = {
  listNodes: declare({
    needs: 'operator',
    doors: ['dashboard', 'control'],
    method: 'GET',
    path: '/nodes',
    summary: 'List the nodes of the installation, with what each has not caught up with and what is lent to it',
    params: nothing,
    query: nothing,
    body: nothing,
    answer: z.strictObject({
      /** Whether several nodes can serve: false without a database, and then the list is empty. */
      shared: z.boolean(),
      data: z.array(
        z.strictObject({
          /** Its place; the place of a node that is gone goes to the next new one. */
          slot: count,
          /** Of its journal. */
          id: z.string(),
          name: z.string(),
          version: z.string(),
          /**
           * `live`, `draining` (it takes no new calls), `silent` (it is to serve, and was not seen for more than 15 s), `lost` (not for two
           * minutes), `gone` (it was stopped).
           */
          state: z.enum(['live', 'draining', 'silent', 'lost', 'gone']),
          /** Whether it is the node that answers. */
          answers: z.boolean(),
          seen_at: time,
          /** By the database's clock. */
          seen_ago_ms: count,
          /** Changes of keys, limits, providers, … that it has not followed yet. */
          changes_behind: count,
          /** When the oldest of its calls was admitted that is not settled in the database; null if there is none. */
          unsent_since: timeOrNull,
          /** Of balances, and not settled yet. */
          lent: usdOut,
        }),
      ),
    }),
  }),
};
