/** The running program itself: how it is, a copy of its data, and the way back into the dashboard. */
import type { LedgerMaintenance } from '../../../billing/maintenance-ports.ts';
import type { Clock } from '../../../core/clock.ts';
import type { installationRoutes } from '../../contract/installation.ts';
import type { Handlers } from '../door/handler.ts';

export interface InstallationServices {
  readonly version: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly maintenance: Pick<LedgerMaintenance, 'backup'>;
  status(): ServerStatus;
  /**
   * A one-use link with which an operator sets a new password and does without a lost second factor; for the oldest operator
   * where no address is given, and a set-up link where there is none yet. Throws `GatewayError` `not_found`.
   */
  adminReset(email: string | null): Promise<AdminReset>;
}

export interface ServerStatus {
  /** Why it is not ready, in words; empty when it is. */
  readonly reasons: readonly string[];
  /** Where callers reach it, like `http://127.0.0.1:8080`; null when it does not listen (a command run without a server). */
  readonly address: string | null;
  /** Calls running now. */
  readonly inFlight: number;
  /** What their bodies have of the memory, and may have; bytes. */
  readonly memory: { readonly used: number; readonly bytesMax: number };
  /** The file that its configuration was read from, and the SHA-256 of what was read; null where there was none. */
  readonly configSource: { readonly path: string; readonly digest: string } | null;
}

export interface AdminReset {
  /** Whom it lets in; null for a set-up link. */
  readonly email: string | null;
  /** With the token: shown once, to whoever may open the control socket. */
  readonly url: string;
  /** Wall time, ms. */
  readonly expiresAt: number;
}

export function installationHandlers(services: InstallationServices): Handlers<typeof installationRoutes> {
  return {
    readStatus: () => {
      const { reasons, address, inFlight, memory, configSource } = services.status();
      return {
        data: {
          version: services.version,
          ready: reasons.length === 0,
          reasons: [...reasons],
          address,
          in_flight: inFlight,
          body_memory: { used_bytes: memory.used, limit_bytes: memory.bytesMax },
          configuration: configSource,
          process_id: process.pid,
          now: new Date(services.clock.now()).toISOString(),
        },
      };
    },

    createBackup: async (context, { body }) => {
      const report = await services.maintenance.backup(body);
      const { folder, files, bytes, secrets } = report;
      // It changes nothing here, but everything here is there, too.
      await context.auditDone({
        action: 'backup.create',
        subject: { kind: 'backup', id: folder, name: null },
        accountId: null,
        before: null,
        after: { files, bytes, secrets },
      });
      return { data: report };
    },

    resetAdmin: async (_context, { body }) => {
      const { email, url, expiresAt } = await services.adminReset(body.email ?? null);
      return { data: { email, url, expires_at: new Date(expiresAt).toISOString() } };
    },
  };
}
