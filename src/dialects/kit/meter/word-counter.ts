/**
 * Counts tokens as they arrive, for models whose tokenizer counts words: a token is up to 16 characters without white space in between, and
 * the white space before them. Ordinary words are one token each, wherever a text is cut.
 */
import { isWhiteSpace } from '../../../wire/white-space.ts';

/** How a model counts tokens, if that is known exactly. */
export type Tokenizer = 'words';

const TOKEN_CHARACTERS_MAX = 16;

/** The counts of one answer; its parts (a choice's text, its thoughts, a call's arguments) are counted separately. */
export class WordCounter {
  #whole = 0;
  readonly #parts = new Map<string, Run>();
  /** Parts that end in white space. */
  #open = 0;

  /** `part` names the text that this continues. */
  add(part: string, text: string): void {
    let run = this.#parts.get(part);
    if (run === undefined) {
      run = { length: 0, space: false };
      this.#parts.set(part, run);
    }
    if (run.space) this.#open -= 1;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (isWhiteSpace(unit)) {
        run.length = 0;
        run.space = true;
        continue;
      }
      // The second half of a character beyond the basic plane.
      if (unit >= 0xdc00 && unit <= 0xdfff && isHigh(text.charCodeAt(at - 1))) continue;
      if (run.length === 0 || run.length === TOKEN_CHARACTERS_MAX) {
        this.#whole += 1;
        run.length = 0;
      }
      run.length += 1;
      run.space = false;
    }
    if (run.space) this.#open += 1;
  }

  /** Tokens of text that the provider counts but does not send. */
  addUnseen(tokens: number): void {
    this.#whole += tokens;
  }

  /** Tokens so far. White space at the end of a part is one until more follows. */
  get tokens(): number {
    return this.#whole + this.#open;
  }

  reset(): void {
    this.#whole = 0;
    this.#open = 0;
    this.#parts.clear();
  }
}

interface Run {
  /** Characters of the token that is still open. */
  length: number;
  /** Whether the part ends in white space. */
  space: boolean;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
