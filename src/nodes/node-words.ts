/** What people are told that the states and columns of the list of nodes mean; the dashboard has the same words. */
export type ExplainedWord = readonly [word: string, meaning: string];

export const NODE_WORDS: readonly ExplainedWord[] = [
  ['live', 'It serves.'],
  [
    'draining',
    'It was asked to stop: it takes no new calls and finishes those that run. Then it sends its journal and returns what it was lent.',
  ],
  [
    'silent',
    'It should serve, and was not seen for 15 s: it was killed, or cannot reach the database. It keeps what it was lent. Start it again with its data folder, or repair its connection.',
  ],
  [
    'lost',
    'It was not seen for two minutes, so what it was lent is free again. Start it with its data folder, if that exists: it sends what it has settled, which is charged as far as there is money, but not what has been repeated elsewhere meanwhile.',
  ],
  [
    'gone',
    'It ended in order: what it has settled is in the database, and it has returned what it was lent. Its slot goes to the next node that starts.',
  ],
  [
    'changes behind',
    'Changes of keys, limits, providers and settings that it had not taken over when it said so last, which it does every 5 s. A number that stays above 0 means that it cannot follow them.',
  ],
  ['unsent since', 'When the oldest call was admitted whose settlement is in its journal and not in the database yet.'],
  [
    'lent',
    'The part of all balances that it may spend without asking the database. It is not charged to anybody: it goes back when the node does not use it, when another node needs it, and when the node ends.',
  ],
];
