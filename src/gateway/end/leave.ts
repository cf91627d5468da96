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
  if (call.upload !== null) guarded(ports, call, closeUpload);
  guarded(ports, call, freeMemory);
  concludeCall(ports, call);
}

function freeSlot({ running }: LeavePorts, call: Call): void {
  running.leave(call);
}

/** Its stored request says what is known at the end. */
function closeUpload(_ports: LeavePorts, { upload, capture }: Call): void {
  upload?.close();
  if (upload !== null && capture !== null) capture.request = upload.describe();
}

function freeMemory(_ports: LeavePorts, call: Call): void {
  call.memory?.release();
}
