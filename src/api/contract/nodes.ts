/** Routes of the nodes of an installation: for operators, who start and stop them. */
import * as z from 'zod';
import { count, id, nothing, time, timeOrNull, usdOrNull, usdOut } from './fields.ts';
import { declare, forCommands } from './route.ts';

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
          /** Whether another node that is there has the same name. */
          name_is_shared: z.boolean(),
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
  listSetAside: declare({
    ...forCommands,
    method: 'GET',
    path: '/nodes/set-aside',
    summary: 'List the calls whose settlements the database refused, and which this node has set aside in its journal',
    params: nothing,
    query: nothing,
    body: nothing,
    answer: z.strictObject({
      /** The first ones. */
      data: z.array(
        z.strictObject({
          /** `gen-…`; null, as the account and the charge, if the journal is damaged there. */
          call: z.string().nullable(),
          account_id: id.nullable(),
          admitted_at: time,
          charge: usdOrNull,
          /** What the database said; null if only an earlier process of the node knows it. */
          reason: z.string().nullable(),
        }),
      ),
      total_count: count,
    }),
  }),
  sendSetAside: declare({
    ...forCommands,
    method: 'POST',
    path: '/nodes/set-aside/send',
    summary: 'Send the settlements that the database refused again, because the cause was removed',
    params: nothing,
    query: nothing,
    body: nothing,
    answer: z.strictObject({
      data: z.strictObject({
        /** Calls. */
        sent: count,
        /** Those of them that the database refused again. */
        refused: count,
        /** Whether the database has answered for all of them; otherwise they are sent with everything else once it can be reached. */
        answered: z.boolean(),
      }),
    }),
  }),
};
