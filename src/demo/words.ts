/**
 * The demo provider's tokenizer: a token is up to 16 characters that are not white space, with the
 * white space before them. Ordinary words are one token each, so a reader can count a bill by hand.
 */
const TOKEN = /\s*\S{1,16}|\s+$/gu;

/** The tokens of a text; joined, they are the text. */
export function splitTokens(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

export function countTokens(text: string): number {
  return splitTokens(text).length;
}
