/**
 * Step 8: the call's targets in order, until one answers. Another target is tried only while
 * nothing has reached the caller and the failure says that another may do better.
 */
import type { Target } from '../catalog/model.ts';
import { assert } from '../core/assert.ts';
import { attempt } from './attempt.ts';
import type { Call } from './call.ts';
import type { Gateway } from './gateway.ts';

const ATTEMPTS_MAX = 3;

/**
 * Resolves when the answer was relayed to its end, whatever that was. Throws `GatewayError` when
 * no target answered; nothing was written to the caller then.
 */
export async function exchange(gateway: Gateway, call: Call): Promise<void> {
  const queue: Target[] = call.targets.slice(0, ATTEMPTS_MAX);
  let reconnected = false;
  for (let index = 0; ; index += 1) {
    const target = queue[index];
    assert(target !== undefined, 'the queue of targets ends with a thrown failure');
    const outcome = await attempt(gateway, call, target);
    if (outcome === null) return;
    // A kept-alive connection may be closed by its peer just as a request goes out: once, the same target again.
    if (outcome.connectionReset && !reconnected) {
      reconnected = true;
      queue.splice(index + 1, 0, target);
    }
    if (!outcome.anotherMayServe || index + 1 >= Math.min(queue.length, ATTEMPTS_MAX)) throw outcome.error;
  }
}
