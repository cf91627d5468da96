/** The way out of every request of the data plane, however it went. */
import { keepAnswer } from '../cached/keep-answer.ts';
import type { Call } from '../call.ts';
import { awaitDelivery, type DeliveryPorts } from './await-delivery.ts';
import { type GuardPorts, guarded } from './guarded.ts';
import { type LeavePorts, leave } from './leave.ts';

export type EndPorts = DeliveryPorts & LeavePorts & GuardPorts;

/**
 * Waits until the caller has its answer or has disconnected, then frees what the call took. Never rejects, and leaves no step out: each
 * is made even if an earlier one has failed.
 */
export async function endCall(ports: EndPorts, call: Call): Promise<void> {
  if (call.replay !== null) guarded(ports, call, freeKey);
  if (call.caching !== null) guarded(ports, call, keep);
  let rest: Promise<void> | null = null;
  guarded(ports, call, () => {
    rest = awaitDelivery(ports, call);
  });
  if (rest !== null)
    await (rest as Promise<void>).catch((error: unknown) => {
      guarded(ports, call, () => {
        throw error;
      });
      call.response.destroy();
    });
  leave(ports, call);
}

function freeKey(_ports: EndPorts, call: Call): void {
  call.replay?.release();
}

function keep(_ports: EndPorts, call: Call): void {
  keepAnswer(call);
}
