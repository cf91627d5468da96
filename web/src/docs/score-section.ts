/** How well a section of the docs fits the words of a query. All texts are lower case. */

export interface SectionFields {
  readonly title: string;
  /** Empty for the beginning of a page. */
  readonly heading: string;
  readonly text: string;
}

/** The score of a match: a whole word, the beginning of a word, inside a word. */
type Scores = readonly [whole: number, start: number, within: number];
const IN_TITLE: Scores = [60, 40, 14];
const IN_HEADING: Scores = [40, 26, 10];
const IN_TEXT: Scores = [8, 5, 2];
/** A match near the beginning of a text shows what the text is about. */
const EARLY = 80;
const EARLY_SCORE = 4;
/** The score of a section that contains the whole query. */
const PHRASE = 20;
/** `lim` finds `limits`, but `add` does not find `addresses`. */
const ENDING_MAX = 4;

/**
 * 0 if no word is found in the section itself, or more words than `missingMax` are missing. The page's title counts fully for its
 * first section only.
 */
export function scoreSection(fields: SectionFields, words: readonly string[], phrase: string, missingMax = 0): number {
  const isFirst = fields.heading === '';
  const name = isFirst ? fields.title : fields.heading;
  let [score, own, missing] = [0, 0, 0];
  for (const word of words) {
    const inName = scoreWord(name, word, isFirst ? IN_TITLE : IN_HEADING);
    const inTitle = isFirst ? 0 : scoreWord(fields.title, word, IN_TITLE) / 4;
    const inText = scoreWord(fields.text, word, IN_TEXT);
    const early = inText > 0 && fields.text.slice(0, EARLY).includes(word) ? EARLY_SCORE : 0;
    if (inName + inTitle + inText === 0) missing += 1;
    own += inName + inText;
    score += inName + inTitle + inText + early;
  }
  if (own === 0 || missing > missingMax) return 0;
  if (words.length > 1 && name.includes(phrase)) score += 3 * PHRASE;
  else if (words.length > 1 && fields.text.includes(phrase)) score += PHRASE;
  // Of two headings with the word, the shorter one is more specific.
  return (score + 4 / (1 + name.length)) / (1 + 2 * missing);
}

/** `keys` also finds `key`, and the other way round. */
export function stemOf(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
}

export function isLetter(letter: string | undefined): boolean {
  return letter !== undefined && /[\p{L}\p{N}]/u.test(letter);
}

function scoreWord(text: string, word: string, [whole, start, within]: Scores): number {
  const stem = stemOf(word);
  let best = 0;
  for (let at = text.indexOf(stem); at >= 0 && best < whole; at = text.indexOf(stem, at + 1)) {
    const begins = !isLetter(text[at - 1]);
    const ending = endingLength(text, at + stem.length);
    const isWhole = ending === 0 || (ending === 1 && text[at + stem.length] === 's');
    const isStart = begins && (ending <= ENDING_MAX || stem.length > ENDING_MAX);
    const found = begins && isWhole ? whole : isStart ? start : stem.length > 3 ? within : 0;
    best = Math.max(best, found);
  }
  return best;
}

/** How many letters follow; more than `ENDING_MAX` are not counted. */
function endingLength(text: string, from: number): number {
  let length = 0;
  while (length <= ENDING_MAX && isLetter(text[from + length])) length += 1;
  return length;
}
