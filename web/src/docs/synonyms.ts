/** Queries in words that the docs do not use, or not in the right place. */
import { stemOf } from './score-section.ts';

const SYNONYMS: Readonly<Record<string, string>> = {
  docker: 'container',
  podman: 'container',
  k8s: 'kubernetes',
  'lost key': 'keys create',
  'forgot key': 'keys create',
  'forgotten key': 'keys create',
  'lost password': 'admin reset',
  'forgot password': 'admin reset',
  'forgotten password': 'admin reset',
};

const PAIRS = Object.entries(SYNONYMS).map(([from, to]) => ({ from: from.split(' '), to: to.split(' ') }));

/** The same query in the words of the docs: one list for each synonym that fits. `words`: of `wordsOf`. */
export function synonymsOf(words: readonly string[]): readonly (readonly string[])[] {
  const stems = words.map(stemOf);
  return PAIRS.filter(({ from }) => from.every((word) => stems.includes(stemOf(word)))).map(({ from, to }) => {
    const others = words.filter((word) => !from.map(stemOf).includes(stemOf(word)));
    return [...new Set([...to, ...others])];
  });
}
