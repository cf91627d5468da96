/** Events of an answer that wait until another block has ended. */
import type { ChatEvent } from './response.ts';

/** Adds an event to the waiting ones. Pieces of one text are joined, so that the list stays as small as the text itself. */
export function holdEvent(held: ChatEvent[], event: ChatEvent): void {
  const last = held.at(-1);
  if (last?.type === 'arguments' && event.type === 'arguments')
    held[held.length - 1] = { ...last, json: last.json + event.json };
  else if (last?.type === 'text' && event.type === 'text')
    held[held.length - 1] = { ...last, text: last.text + event.text };
  else if (last?.type === 'reasoning' && event.type === 'reasoning')
    held[held.length - 1] = { ...last, text: last.text + event.text };
  else held.push(event);
}

/** How many blocks of one answer may wait for another to end. Models call a few tools in parallel, not thousands. */
export const BLOCKS_WAITING_MAX = 2_048;
