/**
 * The demo provider's tokenizer: a token is up to 16 characters that are not white space, with the
 * white space before them. Ordinary words are one token each, so a reader can count a bill by hand.
 */
const RUN = /\s+|\S{1,16}/gu;

/** The tokens of a text; joined, they are the text. White space at the end is one. */
export function splitTokens(text: string): string[] {
  const tokens: string[] = [];
  let space = '';
  for (const [run] of text.matchAll(RUN)) {
    if (/^\s/.test(run)) space = run;
    else {
      tokens.push(space + run);
      space = '';
    }
  }
  if (space !== '') tokens.push(space);
  return tokens;
}

export function countTokens(text: string): number {
  return splitTokens(text).length;
}
