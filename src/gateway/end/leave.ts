import type { Call } from '../call.ts';
import type { Gateway } from '../gateway.ts';
import { concludeCall } from './conclude-call.ts';

/** The very last step of a call: gives back its place and its memory, then its record. */
export function leave(gateway: Gateway, call: Call): void {
  gateway.running.leave(call);
  call.memory?.release();
  concludeCall(gateway, call);
}
