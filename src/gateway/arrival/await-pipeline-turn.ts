/**
 * A caller may send its next request before it has read the last answer. Those requests wait, so
 * that one connection runs one call at a time and cannot take the place of many.
 */
import type { Call } from '../call.ts';
import { cutReason } from '../cut-error.ts';

/** Resolves when the answers before this one are out. Rejects with `cutReason` when the call is cut. */
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
