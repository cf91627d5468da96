/** The thoughts of an answer since its last part: the next part's signature has them. */
import type { ReasoningBlock } from '../../../chat/request.ts';
import { sealThoughts } from './reasoning-tag.ts';

export class PendingThoughts {
  #thoughts: ReasoningBlock[] = [];
  readonly #showsReasoning: boolean;

  constructor(showsReasoning: boolean) {
    this.#showsReasoning = showsReasoning;
  }

  add(thought: ReasoningBlock): void {
    this.#thoughts.push(thought);
  }

  /**
   * The signature of a part, or null. Words that the caller does not see are in the signature of a call alone: some models must get them
   * back with its result.
   */
  signatureFor(part: 'text' | 'call'): string | null {
    if (this.#thoughts.length === 0) return null;
    const withWords = part === 'call' || this.#showsReasoning;
    const thoughts = this.#thoughts.map((thought) => (withWords ? thought : { ...thought, text: '' }));
    this.#thoughts = [];
    const isNeeded = thoughts.some(
      ({ text, signature, encrypted }) =>
        (signature ?? encrypted ?? '') !== '' || (part === 'call' && text.trim() !== ''),
    );
    return isNeeded ? sealThoughts(thoughts) : null;
  }
}
