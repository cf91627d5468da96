/** Opens the public server: the routes that call models, the public routes that read, and the dashboard. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Management } from '../api/management/door/parts.ts';
import { DashboardFiles, type FilesPlace, PAGES_INDEX } from '../api/public/dashboard-files.ts';
import type { PriceStore } from '../billing/ports.ts';
import type { Config } from '../config/config.ts';
import { basePathOf } from '../core/base-path.ts';
import { setDocsAddress } from '../core/errors.ts';
import { VERSION } from '../core/version.ts';
import type { ConnectionGuard } from '../server/connection-guard.ts';
import { publicRoutes } from '../server/public-routes.ts';
import { buildServer } from '../server/server.ts';
import type { StatsReader } from '../stats/ports.ts';
import type { Gateway } from './build-gateway.ts';
import type { ListeningAddress } from './listening-address.ts';

/** The folder with the built dashboard. */
const WEB_FOLDER = join(import.meta.dirname, '..', '..', 'web', 'dist');
/** How long callers may take to read the last bytes of their answers at shutdown. */
const CLOSE_PATIENCE_MS = 1_000;

/** Connections that wait to be accepted: Node's 511 are few when all callers come again at once. The kernel has its own limit (somaxconn). */
const BACKLOG = 4096;

export interface ServerParts {
  readonly gateway: Gateway;
  readonly management: Management;
  readonly stats: StatsReader;
  readonly prices: Pick<PriceStore, 'read'>;
  readonly address: ListeningAddress;
  /** Why no calls can be served, as codes or sentences; empty if they can. */
  readonly reasons: () => readonly string[];
  /** What `/health` shows of one of several nodes; null for a single one. */
  readonly nodeFacts: (() => object) | null;
  readonly connections: ConnectionGuard;
  /** The dashboard's files, if they are read already. */
  readonly files?: ((place: FilesPlace) => DashboardFiles) | undefined;
}

/** Reads the built dashboard. */
export function readDashboard(place: FilesPlace): DashboardFiles {
  return new DashboardFiles(WEB_FOLDER, place);
}

export interface PublicServer {
  /** Resolves with the address once it listens; rejects if it cannot. */
  listen(): Promise<string>;
}

export function openServer(config: Config, parts: ServerParts, closing: AsyncDisposableStack): PublicServer {
  const { gateway, management, address, connections, files: filesAt = readDashboard, ...read } = parts;
  const { clock, running } = gateway;
  const basePath = basePathOf(config.publicUrl);
  setDocsAddress(config.publicUrl);
  const files = config.dashboard.enabled ? filesAt({ basePath, publicUrl: config.publicUrl }) : null;
  const server = buildServer(
    gateway,
    { headerBytesMax: config.limits.headerBytesMax, headersMs: config.timeouts.headersMs, basePath, connections },
    publicRoutes(gateway, {
      ...read,
      metricsToken: config.metrics.token,
      version: VERSION,
      publicUrl: config.publicUrl,
      pages: files?.paths.includes(PAGES_INDEX) === true ? PAGES_INDEX : null,
      showsModels: config.dashboard.enabled && config.dashboard.publicModels,
    }),
    files === null ? null : { management, files },
  );
  closing.defer(async () => {
    running.cutAll();
    const closed = server.close();
    // Node counts a connection with incomplete headers as busy, and would wait for it for ever.
    const patience = clock.after(CLOSE_PATIENCE_MS, () => server.server.closeAllConnections());
    await closed;
    patience.cancel();
  });
  return {
    async listen() {
      await server.listen({ host: config.host, port: config.port, backlog: BACKLOG });
      return address.listensAt((server.server.address() as AddressInfo).port);
    },
  };
}
