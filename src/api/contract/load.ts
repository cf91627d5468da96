/** The route of what the gateway has to do, and how much it can: for operators, who may raise the limits. */
import * as z from 'zod';
import { count, nothing } from './fields.ts';
import { declare } from './route.ts';

export const loadRoutes = {
  readLoad: declare({
    needs: 'operator',
    doors: ['dashboard', 'control'],
    method: 'GET',
    path: '/load',
    summary: 'Get how much the gateway has to do, how much it can, and what it refused since the server started',
    params: nothing,
    query: nothing,
    body: nothing,
    answer: z.strictObject({
      /** The node that answers, whose figures these are; null without a database that several can share. */
      node: z.string().nullable(),
      data: z.strictObject({
        /** Those that are arriving are running, too: their request is not complete yet. Those that wait do not run yet. */
        calls: z.strictObject({ running: count, arriving: count, waiting: count, limit: count }),
        /** The part of new calls that is let in; 1 unless something is lacking. */
        admitted_ratio: z.number(),
        /** What is lacking: `loop_delay`, `memory`, `descriptors`; null if nothing is. */
        shortage: z.string().nullable(),
        /** Of the last half second with calls: the 99th percentile of the event loop's turns; and from when on calls are refused. */
        loop_delay: z.strictObject({ ms: z.number(), limit_ms: z.number() }),
        /** V8's heap, and what it may grow to; the resident memory, and that of the machine or container. */
        memory: z.strictObject({
          heap_bytes: count,
          heap_limit_bytes: count,
          resident_bytes: count,
          resident_limit_bytes: count,
        }),
        /** For the larger bodies of running calls. */
        body_memory: z.strictObject({ used_bytes: count, limit_bytes: count }),
        /** Of callers; `limit` is null if the number of descriptors is unknown. `refused` were closed right after they were opened. */
        connections: z.strictObject({ open: count, limit: count.nullable(), refused: count }),
        /** Of the process; null if unknown. */
        descriptors: z.strictObject({ open: count.nullable(), limit: count.nullable() }),
        /** Answers in memory, those that are being recorded, and the space for both. */
        response_cache: z.strictObject({ used_bytes: count, recording_bytes: count, limit_bytes: count }),
        /** Calls refused since the start, by what was lacking. */
        shed: z.array(z.strictObject({ shortage: z.string(), calls: count })),
      }),
    }),
  }),
};
