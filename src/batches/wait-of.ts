/** Whether a line is called again: what passes by itself is waited for; every other failure is the line's result. */
import type { LineAnswer } from './runner-ports.ts';

/** `line`: only this one waits. Otherwise the whole batch, at least as long as the answer asks for. */
export type Wait = 'line' | { readonly afterMs: number | null };

/** Null if the answer is the result. */
export function waitOf({ status, headers, body }: LineAnswer): Wait | null {
  // Limits of the gateway or of a provider; the gateway or a provider has too much to do, or the ledger is away.
  if (status === 429 || status === 503) return { afterMs: retryAfterMs(headers['retry-after']) };
  // Another node has it, or had it when it was lost.
  if (status === 409 && body.includes(IN_FLIGHT)) return 'line';
  // What other calls hold now is free again when they end; a balance that is used up is a result.
  if (status === 402 && body.includes(RESERVED)) return 'line';
  return null;
}

const IN_FLIGHT = '"idempotency_in_flight"';
const RESERVED = '"balance_reserved"';

/** In seconds, as this gateway writes it. */
function retryAfterMs(header: LineAnswer['headers'][string]): number | null {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}
