/** The way out of every request of the data plane, however it went. */
import { keepAnswer } from '../cached/keep-answer.ts';
import type { Call } from '../call.ts';
import { awaitDelivery, type DeliveryPorts } from './await-delivery.ts';
import { type GuardPorts, guarded, logFailed } from './guarded.ts';
import { type LeavePorts, leave } from './leave.ts';

export type EndPorts = DeliveryPorts & LeavePorts & GuardPorts;

/**
 * Waits until the caller has its answer or has disconnected, then frees what the call took. Null if there is nothing to wait for, as for most
 * calls. Never rejects or throws, and leaves no step out: each is made even if an earlier one has failed.
 */
export function endCall(ports: EndPorts, call: Call): Promise<void> | null {
  if (call.replay !== null) guarded(ports, call, freeKey);
  if (call.caching !== null) guarded(ports, call, keep);
  const rest = restOf(ports, call);
  if (rest !== null) return leaveAfter(ports, call, rest);
  leave(ports, call);
  return null;
}

/** Resolves when the caller has the rest of its answer; null without one, or if that cannot be known. */
function restOf(ports: EndPorts, call: Call): Promise<void> | null {
  try {
    return awaitDelivery(ports, call);
  } catch (error) {
    logFailed(ports, call, error);
    return null;
  }
}

async function leaveAfter(ports: EndPorts, call: Call, rest: Promise<void>): Promise<void> {
  try {
    await rest;
  } catch (error) {
    logFailed(ports, call, error);
    call.response.destroy();
  }
  leave(ports, call);
}

function freeKey(_ports: EndPorts, call: Call): void {
  call.replay?.release();
}

function keep(_ports: EndPorts, call: Call): void {
  keepAnswer(call);
}
