/**
 * A caller may send its next request before it has read the last answer. Such requests wait, so that one connection runs one
 * call at a time and cannot use many slots.
 */
import type { Call } from '../call.ts';
import { cutReason } from '../cut-error.ts';

/** Resolves when the earlier answers on the connection have been sent. Rejects with `cutReason` if the call is cut off. */
export function awaitPipelineTurn(call: Pick<Call, 'response' | 'active'>): Promise<void> {
  const { response } = call;
  return new Promise((resolve, reject) => {
    const stop = () => {
      call.active = null;
      response.off('socket', onTurn);
    };
    const onTurn = () => {
      stop();
      resolve();
    };
    call.active = {
      cancel(ending) {
        stop();
        reject(cutReason(ending));
      },
    };
    response.on('socket', onTurn);
  });
}
