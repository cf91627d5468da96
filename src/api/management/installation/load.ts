/** The handler for what the gateway has to do. */
import { reportedMs } from '../../../core/clock.ts';
import type { loadRoutes } from '../../contract/load.ts';
import type { Handlers } from '../door/handler.ts';

export interface LoadServices {
  load(): GatewayLoad;
  /** The name of this node; null without a database that several can share. */
  readonly node: string | null;
}

/** How much of everything that is limited is used now. Sizes are in bytes. */
export interface GatewayLoad {
  readonly calls: {
    readonly running: number;
    readonly arriving: number;
    readonly waiting: number;
    readonly max: number;
  };
  /** What is refused for its load (`gateway/capacity/load-guard.ts`). */
  readonly guard: {
    readonly admittedPart: number;
    readonly shortage: string | null;
    readonly loopDelayMs: number;
    readonly shed: ReadonlyMap<string, number>;
  };
  /** `limits.loopDelayMs`. */
  readonly loopDelayMaxMs: number;
  readonly memory: {
    readonly heap: number;
    readonly heapMax: number;
    readonly resident: number;
    readonly residentMax: number;
  };
  readonly bodies: { readonly used: number; readonly bytesMax: number };
  /** `max` is `Infinity` if the number of descriptors is unknown. */
  readonly connections: { readonly open: number; readonly max: number; readonly refused: number };
  /** Null if unknown. */
  readonly descriptors: { readonly open: number | null; readonly limit: number | null };
  readonly responseCache: { readonly bytes: number; readonly recordingBytes: number; readonly bytesMax: number };
}

export function loadHandlers(services: LoadServices): Handlers<typeof loadRoutes> {
  return {
    readLoad: () => {
      const { calls, guard, loopDelayMaxMs, memory, bodies, connections, descriptors, responseCache } = services.load();
      return {
        node: services.node,
        data: {
          calls: { running: calls.running, arriving: calls.arriving, waiting: calls.waiting, limit: calls.max },
          admitted_ratio: guard.admittedPart,
          shortage: guard.shortage,
          loop_delay: { ms: reportedMs(guard.loopDelayMs), limit_ms: loopDelayMaxMs },
          memory: {
            heap_bytes: memory.heap,
            heap_limit_bytes: memory.heapMax,
            resident_bytes: memory.resident,
            resident_limit_bytes: memory.residentMax,
          },
          body_memory: { used_bytes: bodies.used, limit_bytes: bodies.bytesMax },
          connections: {
            open: connections.open,
            limit: Number.isFinite(connections.max) ? connections.max : null,
            refused: connections.refused,
          },
          descriptors: { ...descriptors },
          response_cache: {
            used_bytes: responseCache.bytes,
            recording_bytes: responseCache.recordingBytes,
            limit_bytes: responseCache.bytesMax,
          },
          shed: [...guard.shed].map(([shortage, calls]) => ({ shortage, calls })),
        },
      };
    },
  };
}
