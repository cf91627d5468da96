/** Events of an answer that wait for their turn. */
import type { ChatEvent } from './response.ts';

/** Adds an event to those that wait. Pieces of one text become one, so that no more waits than the text itself. */
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

/** So many blocks of one answer may wait for another to end. Models call some tools at once, not thousands. */
export const BLOCKS_WAITING_MAX = 2_048;
