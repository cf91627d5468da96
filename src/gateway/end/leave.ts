import type { Call } from '../call.ts';
import type { RunningCalls } from '../capacity/running-calls.ts';
import { type ConcludePorts, concludeCall } from './conclude-call.ts';
import { guarded } from './guarded.ts';

export interface LeavePorts extends ConcludePorts {
  readonly running: Pick<RunningCalls, 'leave'>;
}

/** The last step of a call: frees its slot and its memory, then writes its record. */
export function leave(ports: LeavePorts, call: Call): void {
  guarded(ports, call, freeSlot);
  guarded(ports, call, freeMemory);
  concludeCall(ports, call);
}

function freeSlot({ running }: LeavePorts, call: Call): void {
  running.leave(call);
}

function freeMemory(_ports: LeavePorts, call: Call): void {
  call.memory?.release();
}
