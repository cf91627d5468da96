/**
 * The names below the top level of a request that this gateway depends on. A provider that is lenient about spelling must not find one of
 * them misspelled, where this gateway does not see it.
 */
import { SpellingRules } from '../../../wire/json-spelling.ts';
import { dataFields } from '../../kit/peek/data-fields.ts';
import { foreignMediaKeys } from './foreign-media.ts';
import { peekedInside } from './peeked-fields.ts';
import { storedDataKeys } from './stored-data.ts';

/** The nested keys that the body scan reports: ids of stored files, media, tools defined inside a turn. */
export const watchedKeys: ReadonlySet<string> = new Set([
  ...storedDataKeys,
  ...['source', 'url', 'definition'],
  ...foreignMediaKeys,
]);

export const spelling = new SpellingRules({
  // A cache mark has its price.
  names: [...peekedInside, ...watchedKeys, 'cache_control'],
  within: ['messages', 'system', 'tools'],
  data: dataFields,
});
