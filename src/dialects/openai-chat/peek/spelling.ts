/**
 * The names below the top level of a request that this gateway depends on. A provider that is lenient about spelling must not find one of
 * them misspelled, where this gateway does not see it.
 */
import { SpellingRules } from '../../../wire/json-spelling.ts';
import { dataFields } from '../../kit/peek/data-fields.ts';
import { thoughtsKey } from '../relay/foreign-thoughts.ts';
import { peekedInside } from './peeked-fields.ts';
import { mediaKeys } from './read-inline-media.ts';
import { storedDataKeys } from './stored-data.ts';

export const watchedKeys: ReadonlySet<string> = new Set([...storedDataKeys, ...mediaKeys, thoughtsKey]);

export const spelling = new SpellingRules({
  // A cache mark has its price.
  names: [...peekedInside, ...watchedKeys, 'cache_control'],
  within: ['messages', 'tools', 'tool_choice', 'stream_options', 'web_search_options', 'extra_body'],
  data: dataFields,
});
