/**
 * Whether a call's answer is kept for equal requests. Only a complete one is, and only if it says the same to the next caller: not what a
 * provider's tools found, not an answer that the provider keeps under an id that one caller may delete, none that was shortened because the
 * balance was low at that moment, and none of another model than the one asked for.
 */
import { FOREIGN_THOUGHTS, NOT_TAKEN_BACK } from '../../dialects/kit/answer/left-out-thoughts.ts';
import type { KeptAnswer } from '../../response-cache/kept-answer.ts';
import type { Call } from '../call.ts';
import type { CacheUse } from './cache-use.ts';
import { isEvents } from './look-up.ts';
import { withoutCost } from './without-cost.ts';

/** To be called once, when the call has been answered, or has failed. */
export function keepAnswer(call: Call): void {
  const { caching } = call;
  if (caching?.recording === null || caching?.recording === undefined) return;
  const { recording } = caching;
  let answer: KeptAnswer | null = null;
  try {
    answer = answerOf(call, caching);
  } finally {
    // Equal calls wait for it.
    recording.end(answer);
  }
}

/** They depend on which target was up. */
const OF_THE_MOMENT: readonly string[] = [FOREIGN_THOUGHTS, NOT_TAKEN_BACK];

function answerOf(call: Call, { model, form, recording }: CacheUse): KeptAnswer | null {
  const { ending, errorCode, hold, id, peek, settlement, status, translation, warnings } = call;
  if (ending !== 'complete' || status !== 200 || errorCode !== null || settlement === null || peek === null)
    return null;
  if (call.model !== model || hold === null || hold.outputCap !== null) return null;
  const { usage } = settlement;
  if (usage.webSearches + usage.fileSearches + usage.codeContainers > 0) return null;
  if (peek.storesAnswer === true && translation === null) return null;
  if (warnings.some((warning) => OF_THE_MOMENT.includes(warning))) return null;
  const body = recording?.bytes ?? null;
  if (body === null) return null;
  const { provider, priceVersion, charge } = settlement;
  const free = withoutCost(body, isEvents(form), call.dialect.caching.costPaths ?? []);
  return { callId: id, model: settlement.model, provider, priceVersion, charge, warnings, form, body: free };
}
