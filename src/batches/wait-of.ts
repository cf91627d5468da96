/** Whether a line is called again: what passes by itself is waited for; every other failure is the line's result. */
import type { LineAnswer } from './runner-ports.ts';

/** Where the gateway says the code of a line's error, whatever format it is written in and whoever wrote it. */
export const LINE_ERROR_HEADER = 'x-turnpike-error';

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

/** The code of an error, as the gateway says it of lines; the status if it does not. Nothing of what a provider wrote. */
export function codeOf({ status, headers }: LineAnswer): string {
  const code = headers[LINE_ERROR_HEADER];
  return typeof code === 'string' ? code : `http_${status}`;
}

const IN_FLIGHT = '"idempotency_in_flight"';
const RESERVED = '"balance_reserved"';

/** In seconds, as this gateway writes it. */
function retryAfterMs(header: LineAnswer['headers'][string]): number | null {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
}
