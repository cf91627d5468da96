/** Which models or aliases the caller may have meant. A hint in an error: fast, approximate, and limited to what the key may use. */
import type { Catalog, Model } from '../catalog/model.ts';
import { LikeNames } from './like-names.ts';

const HINTS_MAX = 3;
/** A longer name is not a typo. */
const NAME_CHARACTERS_MAX = 80;
/** With more names, only those that share most letters are compared letter by letter. */
const COMPARED_MAX = 500;
const LIKEST_MAX = 300;
/** Below this likeness (0–1) a hint is noise. */
const LIKENESS_MIN = 0.5;
/** All words of the shorter name in the longer one count nearly as much as the same letters. */
const WORDS_WEIGHT = 0.9;

interface KnownName {
  readonly id: string;
  readonly spelling: string;
  readonly bareSpelling: string;
  readonly words: readonly string[];
  readonly created: number;
}

/** Of the names of a catalogue, those to compare with a wanted one, which is normalized. */
type NamesLike = (spelling: string) => readonly KnownName[];

const knownNames = new WeakMap<Catalog, NamesLike>();

/** At most three ids or names, the likeliest first. `aliases`: the names of those that the key may use. */
export function nearestModels(
  catalog: Catalog,
  wanted: string,
  mayUse: (modelId: string) => boolean,
  aliases: readonly string[] = [],
): string[] {
  if (wanted.length > NAME_CHARACTERS_MAX) return [];
  const spelling = normalize(wanted);
  const words = wordsOf(spelling);
  const found: { candidate: KnownName; likeness: number }[] = [];
  const likenessOf = (candidate: KnownName) =>
    Math.max(
      likenessOfLetters(spelling, wanted.includes('/') ? candidate.spelling : candidate.bareSpelling),
      WORDS_WEIGHT * likenessOfWords(words, candidate.words),
    );
  for (const candidate of prepare(catalog)(spelling)) {
    const likeness = likenessOf(candidate);
    if (likeness >= LIKENESS_MIN && mayUse(candidate.id)) found.push({ candidate, likeness });
  }
  for (const name of aliases) {
    // Somebody chose it for these callers, so it comes before a model that is as like.
    const candidate = spelled(name, Number.MAX_SAFE_INTEGER);
    const likeness = likenessOf(candidate);
    if (likeness >= LIKENESS_MIN) found.push({ candidate, likeness });
  }
  found.sort((a, b) => b.likeness - a.likeness || b.candidate.created - a.candidate.created);
  return found.slice(0, HINTS_MAX).map(({ candidate }) => candidate.id);
}

function prepare(catalog: Catalog): NamesLike {
  let known = knownNames.get(catalog);
  if (known === undefined) {
    known = namesOf(catalog);
    knownNames.set(catalog, known);
  }
  return known;
}

/** Reads the names of a large catalogue in turns of the event loop, so that the first unknown name need not wait for it. */
export async function prepareHints(catalog: Catalog): Promise<void> {
  const models = catalog.all();
  if (models.length <= COMPARED_MAX) return;
  knownNames.set(catalog, likeIn(models, await LikeNames.inTurns(models.map(({ id }) => id))));
}

function namesOf(catalog: Catalog): NamesLike {
  const models = catalog.all();
  if (models.length > COMPARED_MAX) return likeIn(models, LikeNames.of(models.map(({ id }) => id)));
  const all = models.map(({ id, created }) => spelled(id, created));
  return () => all;
}

function likeIn(models: readonly Model[], like: LikeNames): NamesLike {
  return (spelling) =>
    like.find(spelling, LIKEST_MAX).flatMap((index) => {
      const model = models[index];
      return model === undefined ? [] : spelled(model.id, model.created);
    });
}

function spelled(id: string, created: number): KnownName {
  const spelling = normalize(id);
  return {
    id,
    spelling,
    bareSpelling: spelling.slice(spelling.indexOf('/') + 1),
    words: wordsOf(spelling),
    created,
  };
}

/** `Claude_Sonnet 4.5` → `claude-sonnet-4-5`. */
function normalize(name: string): string {
  return name.toLowerCase().replace(/[._\s]/g, '-');
}

function wordsOf(spelling: string): string[] {
  return [...new Set(spelling.split(/[-/:@]|(?<=[a-z])(?=\d)/).filter((word) => word !== ''))];
}

/**
 * The share of words that both names have in common: 75 % of the weight is on the words asked for, the rest on the candidate's.
 */
function likenessOfWords(wanted: readonly string[], words: readonly string[]): number {
  let shared = 0;
  for (const word of wanted) if (words.includes(word)) shared += 1;
  return wanted.length === 0 ? 0 : 0.75 * (shared / wanted.length) + 0.25 * (shared / words.length);
}

/** 1 for the same letters, 0 when more than half of them would have to change. */
function likenessOfLetters(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  const limit = Math.floor(longer / 2);
  if (Math.abs(a.length - b.length) > limit) return 0;
  const distance = boundedDistance(a, b, limit);
  return distance > limit ? 0 : 1 - distance / longer;
}

const previousRow = new Uint16Array(256);

/** Insertions, deletions and substitutions from `a` to `b`; returns `limit + 1` as soon as there are more. */
function boundedDistance(a: string, b: string, limit: number): number {
  if (b.length >= previousRow.length) return limit + 1;
  for (let column = 0; column <= b.length; column += 1) previousRow[column] = column;
  for (let row = 1; row <= a.length; row += 1) {
    const letter = a.charCodeAt(row - 1);
    let diagonal = row - 1;
    let left = row;
    let least = row;
    previousRow[0] = row;
    for (let column = 1; column <= b.length; column += 1) {
      const above = previousRow[column] as number;
      const changed = letter === b.charCodeAt(column - 1) ? diagonal : diagonal + 1;
      left = Math.min(changed, above + 1, left + 1);
      diagonal = above;
      previousRow[column] = left;
      if (left < least) least = left;
    }
    if (least > limit) return limit + 1;
  }
  return previousRow[b.length] as number;
}
