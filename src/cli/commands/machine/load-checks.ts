/** The checks of `doctor` on limits: whether they are too small for what they are to bound, and what a running server had to refuse. */

import { connectionsMax, ownDescriptors } from '../../../gateway/capacity/descriptor-limit.ts';
import { defaultMemoryBytes, processMemoryMax } from '../../../gateway/capacity/memory-budget.ts';
import type { Check } from './checks.ts';

/** Of `/control/api/status`. */
export interface Load {
  readonly load: {
    readonly in_flight_max: number;
    readonly admitted_ratio: number;
    readonly shortage: string | null;
    readonly shed: readonly { readonly shortage: string; readonly calls: number }[];
  };
  readonly connections: { readonly max: number | null; readonly descriptors_max: number | null };
}

interface Limits {
  readonly inFlightMax: number;
  readonly memoryBytes: number | null;
}

const MIB = 1024 * 1024;
/** With fewer places none is kept for those who come next. */
const IN_FLIGHT_MIN = 16;
/** The program needs this much without a call. */
const MEMORY_MIN = 384 * MIB;
/** What the program needs besides calls, about, for when no server can say. */
const OTHER_DESCRIPTORS = 50;

/** `limits` are the configured ones; `running` is what the server of this folder says, null without one, and then this process's are judged. */
export function checkLoad(limits: Limits, running: Load | null, machine = thisMachine()): Check[] {
  const checks: Check[] = [];
  const warn = (name: string, detail: string) => checks.push({ name, state: 'warn', detail });
  const inFlightMax = running?.load.in_flight_max ?? limits.inFlightMax;
  if (inFlightMax < IN_FLIGHT_MIN)
    warn(
      'concurrent calls',
      `limits.inFlightMax is ${inFlightMax}: one key can take all places; set ${IN_FLIGHT_MIN} or more`,
    );
  const descriptors = running === null ? machine.descriptors : running.connections.descriptors_max;
  const callsMax = running === null ? connectionsMax(descriptors, OTHER_DESCRIPTORS) : running.connections.max;
  if (callsMax !== null && callsMax < inFlightMax)
    warn(
      'file descriptors',
      `${descriptors} allow about ${callsMax} calls at once, fewer than limits.inFlightMax (${inFlightMax}); raise the limit (ulimit -n, LimitNOFILE= of systemd) or lower the option`,
    );
  if (machine.memory < MEMORY_MIN)
    warn('memory', `${mib(machine.memory)} MiB for the process; give it ${mib(MEMORY_MIN)} MiB or more`);
  if (limits.memoryBytes !== null && limits.memoryBytes > machine.bodies)
    warn(
      'memory for bodies',
      `limits.memoryBytes is ${mib(limits.memoryBytes)} MiB; with the memory of this machine and the heap of this process ${mib(machine.bodies)} MiB are safe`,
    );
  if (running !== null) checks.push(...checkShed(running));
  return checks;
}

function checkShed({ load }: Load): Check[] {
  const shed = load.shed.filter(({ calls }) => calls > 0);
  if (load.shortage !== null)
    return [
      {
        name: 'load',
        state: 'warn',
        detail: `${Math.round(100 * load.admitted_ratio)} % of new calls are let in, because of ${load.shortage}`,
      },
    ];
  if (shed.length === 0) return [];
  const counts = shed.map(({ shortage, calls }) => `${calls} for ${shortage}`).join(', ');
  return [{ name: 'load', state: 'warn', detail: `calls refused since the start: ${counts}` }];
}

interface Machine {
  /** RLIMIT_NOFILE; null if unknown. */
  readonly descriptors: number | null;
  /** Bytes. */
  readonly memory: number;
  /** The most that bodies should take, bytes. */
  readonly bodies: number;
}

function thisMachine(): Machine {
  return { descriptors: ownDescriptors().limit, memory: processMemoryMax(), bodies: defaultMemoryBytes() };
}

function mib(bytes: number): number {
  return Math.floor(bytes / MIB);
}
