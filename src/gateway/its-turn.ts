/**
 * A caller may send its next request before it has read the last answer. Those requests wait, so
 * that one connection runs one call at a time and cannot take the place of many.
 */
import { GatewayError } from '../core/errors.ts';
import type { Call } from './call.ts';
import { CallerLeft } from './read-body.ts';

/** Resolves when the answers before this one are out. Rejects with `CallerLeft`, or 503 when the call is cut. */
export function itsTurn(call: Call): Promise<void> {
  const { response } = call;
  return new Promise((resolve, reject) => {
    const stop = () => {
      call.step = null;
      response.off('socket', onTurn);
    };
    const onTurn = () => {
      stop();
      resolve();
    };
    call.step = {
      cut(ending) {
        stop();
        const left = ending === 'caller_left';
        reject(left ? new CallerLeft() : new GatewayError('draining', { retryAfterSeconds: 1 }));
      },
    };
    response.on('socket', onTurn);
  });
}
