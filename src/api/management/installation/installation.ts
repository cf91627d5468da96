/** Handlers for the installation: its status, backups, and a link that lets an operator back in. */
import type { LedgerMaintenance } from '../../../billing/maintenance-ports.ts';
import { type Clock, reportedMs } from '../../../core/clock.ts';
import type { installationRoutes } from '../../contract/installation.ts';
import type { Handlers } from '../door/handler.ts';

export interface InstallationServices {
  readonly version: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly maintenance: Pick<LedgerMaintenance, 'backup'>;
  status(): ServerStatus;
  /**
   * A one-use link that sets a new password for an operator and removes the second factor; by default for the oldest operator. A set-up
   * link if there is no operator yet. Throws `GatewayError` `not_found`.
   */
  adminReset(email: string | null): Promise<AdminReset>;
}

export interface ServerStatus {
  /** Why it is not ready, as codes or sentences; empty if it is. */
  readonly reasons: readonly string[];
  /** Sentences; what these rows describe is refused. */
  readonly unreadableRows: readonly string[];
  /** The name of this node; null without a database that several can share. */
  readonly node: string | null;
  /** Its base URL, like `http://127.0.0.1:8080`; null if it does not listen (a command without a server). */
  readonly address: string | null;
  /** Calls running now. */
  readonly inFlight: number;
  /** The memory that their bodies use, and the limit; bytes. */
  readonly memory: { readonly used: number; readonly bytesMax: number };
  /** What the gateway has to do (`gateway/capacity/load-guard.ts`), and how many calls may run. */
  readonly load: {
    readonly admittedPart: number;
    readonly shortage: string | null;
    readonly loopDelayMs: number;
    readonly memoryUse: number;
    readonly shed: ReadonlyMap<string, number>;
    readonly inFlightMax: number;
  };
  /** Callers' connections, and the process's descriptors; `max` is `Infinity` and `descriptorsMax` null if their number is unknown. */
  readonly connections: { readonly open: number; readonly max: number; readonly descriptorsMax: number | null };
  /** The file that its configuration was read from, and the SHA-256 of its text; null without a file. */
  readonly configSource: { readonly path: string; readonly digest: string } | null;
}

export interface AdminReset {
  /** The person whose password it sets; null for a set-up link. */
  readonly email: string | null;
  /** Contains the token: shown once, to the caller on the control socket. */
  readonly url: string;
  /** Wall time, ms. */
  readonly expiresAt: number;
}

export function installationHandlers(services: InstallationServices): Handlers<typeof installationRoutes> {
  return {
    readStatus: () => {
      const { reasons, unreadableRows, node, address, inFlight, memory, load, connections, configSource } =
        services.status();
      return {
        data: {
          version: services.version,
          ready: reasons.length === 0,
          reasons: [...reasons],
          unreadable_rows: [...unreadableRows],
          node,
          address,
          in_flight: inFlight,
          body_memory: { used_bytes: memory.used, limit_bytes: memory.bytesMax },
          load: {
            in_flight_max: load.inFlightMax,
            admitted_ratio: load.admittedPart,
            shortage: load.shortage,
            loop_delay_ms: reportedMs(load.loopDelayMs),
            memory_ratio: load.memoryUse,
            shed: [...load.shed].map(([shortage, calls]) => ({ shortage, calls })),
          },
          connections: {
            open: connections.open,
            max: Number.isFinite(connections.max) ? connections.max : null,
            descriptors_max: connections.descriptorsMax,
          },
          configuration: configSource,
          process_id: process.pid,
          now: new Date(services.clock.now()).toISOString(),
        },
      };
    },

    createBackup: async (context, { body }) => {
      const report = await services.maintenance.backup(body);
      const { folder, files, bytes, secrets } = report;
      // A backup changes nothing here, but contains everything.
      await context.auditDone({
        action: 'backup.create',
        subject: { kind: 'backup', id: folder, name: null },
        accountId: null,
        before: null,
        after: { files, bytes, secrets },
      });
      return { data: { folder, files, bytes, secrets, rest: report.rest ?? null } };
    },

    resetAdmin: async (_context, { body }) => {
      const { email, url, expiresAt } = await services.adminReset(body.email ?? null);
      return { data: { email, url, expires_at: new Date(expiresAt).toISOString() } };
    },
  };
}
