/**
 * The names below the top level of a request that this gateway depends on. A provider that is lenient about spelling must not find one of
 * them misspelled, where this gateway does not see it.
 */
import { SpellingRules } from '../../../wire/json-spelling.ts';
import { dataFields } from '../../kit/peek/data-fields.ts';
import { bothSpellings } from '../field-names.ts';
import { peekedInside } from './peeked-fields.ts';
import { mediaKeys } from './read-inline-media.ts';
import { refusedTools } from './server-tools.ts';
import { storedDataKeys } from './stored-data.ts';

/** The nested keys that the body scan reports. */
export const watchedKeys: ReadonlySet<string> = new Set([...storedDataKeys, ...mediaKeys]);

/** Objects whose own fields are read or edited. */
export const entered: ReadonlySet<string> = new Set(bothSpellings(['generationConfig', 'generateContentRequest']));

export const spelling = new SpellingRules({
  names: [...peekedInside, ...watchedKeys, ...bothSpellings(refusedTools)],
  within: bothSpellings([
    'contents',
    'systemInstruction',
    'tools',
    'generationConfig',
    'generateContentRequest',
    'content',
    'requests',
  ]),
  data: [
    ...dataFields,
    ...bothSpellings(['args', 'response', 'parametersJsonSchema', 'responseSchema', 'responseJsonSchema']),
  ],
});
