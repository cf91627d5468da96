/**
 * The demo provider's tokenizer: a token is up to 16 characters that are not white space, with the
 * white space before them. Ordinary words are one token each, so usage can be counted by hand.
 */
import { isWhiteSpace } from '../wire/white-space.ts';

const TOKEN_CHARACTERS_MAX = 16;

/** The first tokens of a text, at most `max`; joined together they are the text. White space at its end is one token. */
export function splitTokens(text: string, max: number = Number.POSITIVE_INFINITY): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < text.length && tokens.length < max; ) {
    const end = tokenEnd(text, at);
    tokens.push(text.slice(at, end));
    at = end;
  }
  return tokens;
}

export function countTokens(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at = tokenEnd(text, at)) tokens += 1;
  return tokens;
}

/** The end of the token that begins at `from`, which must be inside the text. */
export function tokenEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWhiteSpace(text.charCodeAt(at))) at += 1;
  for (let characters = 0; characters < TOKEN_CHARACTERS_MAX && at < text.length; characters += 1) {
    const unit = text.charCodeAt(at);
    if (isWhiteSpace(unit)) break;
    at += isHigh(unit) && isLow(text.charCodeAt(at + 1)) ? 2 : 1;
  }
  return at;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
