/** How much of everything that is limited is used, for operators. */
import type { GatewayLoad } from '../api/management/installation/load.ts';
import type { MemoryBudget } from '../gateway/capacity/memory-budget.ts';
import type { RunningCalls } from '../gateway/capacity/running-calls.ts';
import type { ResponseCache } from '../response-cache/response-cache.ts';
import type { ConnectionGuard } from '../server/connection-guard.ts';
import { memoryFigures } from '../telemetry/load-measures.ts';
import type { LiveConfig } from './reload.ts';

export interface LoadParts {
  readonly live: LiveConfig;
  readonly running: RunningCalls;
  readonly connections: ConnectionGuard;
  readonly memory: MemoryBudget;
  readonly responseCache: ResponseCache;
}

export function gatewayLoad({ live, running, connections, memory, responseCache }: LoadParts): GatewayLoad {
  return {
    calls: { running: running.count, arriving: running.arriving, waiting: running.waiting, max: running.max },
    guard: running.load.view,
    loopDelayMaxMs: live.config.limits.loopDelayMs,
    memory: memoryFigures(),
    bodies: memory,
    connections,
    descriptors: { open: connections.descriptors, limit: connections.limit },
    responseCache,
  };
}
