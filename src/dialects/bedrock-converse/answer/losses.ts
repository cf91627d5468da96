/** Warnings about what is left out of an answer because the neutral form cannot express it. */
import { quoteWord } from '../../../chat/warnings.ts';
import type { JsonObject } from '../../../core/json-object.ts';

/** `block` is a content block, or the start or delta of one: its only field says what it is. */
export function lossOfBlock(block: JsonObject): string {
  return `a block ${quoteWord(Object.keys(block)[0])} was left out of the answer`;
}

export function lossOfEvent(event: string | null): string {
  return `a stream event ${quoteWord(event)} was left out of the answer`;
}

/** Tools that run at the provider. */
export const SERVER_TOOL = 'a call of a server tool was left out of the answer';
/** Mostly for citations of documents that the caller sent. */
export const CITATION_WITHOUT_ADDRESS = 'a citation without a URL was left out of the answer';
