/** Routes of the installation: its status, backups, and a link that lets an operator back in. */
import * as z from 'zod';
import { count, nothing, time } from './fields.ts';
import { declare, forCommands } from './route.ts';
import { emailInput } from './sign-in.ts';

export const installationRoutes = {
  readStatus: declare({
    ...forCommands,
    method: 'GET',
    path: '/status',
    summary: 'Get the readiness, addresses and load of the server',
    params: nothing,
    query: nothing,
    body: nothing,
    answer: z.strictObject({
      data: z.strictObject({
        version: z.string(),
        ready: z.boolean(),
        /** Why it is not ready, as codes or sentences. */
        reasons: z.array(z.string()),
        /** The node that answers, whose load this is; null without a database that several can share. */
        node: z.string().nullable(),
        /** Null if it does not listen: a command runs without a server. */
        address: z.string().nullable(),
        /** Rows of the database that cannot be read, in sentences: what they describe is refused. */
        unreadable_rows: z.array(z.string()),
        in_flight: count,
        body_memory: z.strictObject({ used_bytes: count, limit_bytes: count }),
        load: z.strictObject({
          in_flight_max: count,
          /** The part of new calls that is let in; 1 unless something is lacking. */
          admitted_ratio: z.number(),
          /** What is lacking: `loop_delay`, `memory`, `descriptors`; null if nothing is. */
          shortage: z.string().nullable(),
          loop_delay_ms: z.number(),
          memory_ratio: z.number(),
          /** Calls refused since the start, by what was lacking. */
          shed: z.array(z.strictObject({ shortage: z.string(), calls: count })),
        }),
        /** Of callers; null if the number of descriptors is unknown. */
        connections: z.strictObject({ open: count, max: count.nullable(), descriptors_max: count.nullable() }),
        /** The file that the configuration was read from, and the SHA-256 of its text. */
        configuration: z.strictObject({ path: z.string(), digest: z.string() }).nullable(),
        process_id: z.int(),
        now: time,
      }),
    }),
  }),
  createBackup: declare({
    ...forCommands,
    method: 'POST',
    path: '/backup',
    summary: 'Back up the data folder into an empty folder',
    params: nothing,
    query: nothing,
    body: z.strictObject({
      /** Absolute, because the server's working directory is not the caller's. */
      folder: z.string().max(4096).regex(/^\//, 'give an absolute path'),
      secrets: z.boolean().default(true),
    }),
    answer: z.strictObject({
      data: z.strictObject({
        folder: z.string(),
        files: count,
        bytes: count,
        secrets: z.boolean(),
        /** What else is to be backed up, and how; null if the folder has everything. */
        rest: z.string().nullable(),
      }),
    }),
  }),
  resetAdmin: declare({
    ...forCommands,
    method: 'POST',
    path: '/admin/reset',
    summary: 'Create a one-use link with which an operator sets a new password and drops a lost second factor',
    params: nothing,
    query: nothing,
    /** By default the oldest operator. */
    body: z.strictObject({ email: emailInput.nullish() }),
    answer: z.strictObject({
      data: z.strictObject({
        /** Null for a link that creates the first operator. */
        email: z.string().nullable(),
        url: z.string(),
        expires_at: time,
      }),
    }),
  }),
};
