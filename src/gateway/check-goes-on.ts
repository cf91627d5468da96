import type { Call } from './call.ts';
import { CallerLeft, cutError } from './cut-error.ts';

/**
 * Called before a call continues after others had a turn, when no step ran that could have been ended. Throws `CallerLeft` if
 * the caller has disconnected, and `cutError` if the call was cut off.
 */
export function checkGoesOn({ response, cutBetweenSteps }: Pick<Call, 'response' | 'cutBetweenSteps'>): void {
  if (response.destroyed) throw new CallerLeft();
  if (cutBetweenSteps !== null) throw cutError(cutBetweenSteps);
}
