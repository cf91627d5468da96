import type { Call } from './call.ts';
import { CallerLeft, cutError } from './cut-error.ts';

/**
 * Asked before a call goes on after others had a turn: no step ran then that could have been cut. Throws `CallerLeft`
 * where the caller is gone, and `cutError` where the call was cut.
 */
export function checkGoesOn({ response, cutBetweenSteps }: Pick<Call, 'response' | 'cutBetweenSteps'>): void {
  if (response.destroyed) throw new CallerLeft();
  if (cutBetweenSteps !== null) throw cutError(cutBetweenSteps);
}
