/** Steps that take milliseconds for a large request are turns of the event loop apart, so that other calls run in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonDocument } from '../wire/json-document.ts';
import { checkGoesOn } from './check-goes-on.ts';
import type { Arrived } from './phases.ts';

/** Throws what ended the call meanwhile, if anything did. Rights may have changed when it resolves. */
export async function letOthersRun(call: Arrived): Promise<void> {
  // The first runs before the loop has polled sockets and timers again, the second after.
  await nextTurn();
  await nextTurn();
  checkGoesOn(call);
}

/** Whether reading it takes milliseconds, and so does writing or editing it. */
export function isLarge({ bytes, values }: JsonDocument): boolean {
  return bytes.length > TURN_BYTES || values > TURN_VALUES;
}

const TURN_BYTES = 1024 * 1024;
const TURN_VALUES = 10_000;
