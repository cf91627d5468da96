/**
 * A caller may send its next request before it has read the last answer. Those requests wait, so
 * that one connection runs one call at a time and cannot take the place of many.
 */
import type { Call } from '../call.ts';
import { cutError } from '../cut-error.ts';
import { CallerLeft } from './read-body.ts';

/** Resolves when the answers before this one are out. Rejects with `CallerLeft`, or with `cutError` when the call is cut. */
export function awaitPipelineTurn(call: Call): Promise<void> {
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
        reject(ending === 'caller_left' ? new CallerLeft() : cutError(ending));
      },
    };
    response.on('socket', onTurn);
  });
}
