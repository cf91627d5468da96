/**
 * The names below the top level of a request that this gateway depends on. A provider that is lenient about spelling must not find one of
 * them misspelled, where this gateway does not see it.
 */
import { SpellingRules } from '../../../wire/json-spelling.ts';
import { dataFields } from '../../kit/peek/data-fields.ts';
import { peekedInside } from './peeked-fields.ts';
import { mediaKeys } from './read-inline-media.ts';
import { storedDataKeys } from './stored-data.ts';

export const watchedKeys: ReadonlySet<string> = new Set([...storedDataKeys, ...mediaKeys, 'tools']);

export const spelling = new SpellingRules({
  // A cache mark has its price; an item without its content is one that the provider keeps.
  names: [...peekedInside, ...watchedKeys, 'prompt_cache_breakpoint', 'encrypted_content', 'result'],
  within: ['input', 'tools', 'tool_choice', 'text'],
  // The input of a call is the caller's own; the request's is not below the top level.
  data: dataFields,
});
