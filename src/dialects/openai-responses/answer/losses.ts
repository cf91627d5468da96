/**
 * Warnings about what is left out of a provider's answer because the neutral form cannot express it. What every answer has and means nothing
 * elsewhere is not reported.
 */
import { quoteWord } from '../../../chat/warnings.ts';

/** The provider's own tools and their results, calls of tools that only this format has, unknown types. */
export function lossOfItem(type: unknown): string {
  return `an item ${quoteWord(type)} was left out of the answer`;
}

export function lossOfPart(type: unknown): string {
  return `a content part ${quoteWord(type)} was left out of the answer`;
}

export function lossOfEvent(type: unknown): string {
  return `a stream event ${quoteWord(type)} was left out of the answer`;
}

/** Files that the provider stores or made. */
export function lossOfAnnotation(type: unknown): string {
  return `an annotation ${quoteWord(type)} was left out of the answer`;
}

export const CITATION_WITHOUT_ADDRESS = 'a citation without a URL was left out of the answer';
