import type { Call } from '../call.ts';
import type { RunningCalls } from '../capacity/running-calls.ts';
import { type ConcludePorts, concludeCall } from './conclude-call.ts';

export interface LeavePorts extends ConcludePorts {
  readonly running: Pick<RunningCalls, 'leave'>;
}

/** The last step of a call: frees its slot and its memory, then writes its record. */
export function leave(ports: LeavePorts, call: Call): void {
  ports.running.leave(call);
  call.memory?.release();
  concludeCall(ports, call);
}
