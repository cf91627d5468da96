import type { Call } from '../call.ts';
import type { RunningCalls } from '../capacity/running-calls.ts';
import { type ConcludePorts, concludeCall } from './conclude-call.ts';

export interface LeavePorts extends ConcludePorts {
  readonly running: Pick<RunningCalls, 'leave'>;
}

/** The very last step of a call: gives back its place and its memory, then its record. */
export function leave(ports: LeavePorts, call: Call): void {
  ports.running.leave(call);
  call.memory?.release();
  concludeCall(ports, call);
}
