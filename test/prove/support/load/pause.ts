/** Load is about real time: these wait, which tests do not. */
import { systemClock } from '../../../../src/core/clock.ts';

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void systemClock.after(ms, resolve));
}
