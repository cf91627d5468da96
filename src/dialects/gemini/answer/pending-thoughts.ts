/** The thoughts of an answer since its last part: the next part's signature has them. */
import type { ReasoningBlock } from '../../../chat/request.ts';
import { NO_THOUGHTS, sealThoughts } from './reasoning-tag.ts';

export class PendingThoughts {
  #thoughts: ReasoningBlock[] = [];
  #hasCalled = false;
  readonly #showsReasoning: boolean;

  constructor(showsReasoning: boolean) {
    this.#showsReasoning = showsReasoning;
  }

  add(thought: ReasoningBlock): void {
    this.#thoughts.push(thought);
  }

  /**
   * The signature of a part, or null. Words that the caller does not see are in the signature of a call alone: some models must get them
   * back with its result. The first call always has one: without it, Google would refuse to go on with what another model began.
   */
  signatureFor(part: 'text' | 'call'): string | null {
    const isFirstCall = part === 'call' && !this.#hasCalled;
    this.#hasCalled ||= isFirstCall;
    return this.#seal(part) ?? (isFirstCall ? NO_THOUGHTS : null);
  }

  #seal(part: 'text' | 'call'): string | null {
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
