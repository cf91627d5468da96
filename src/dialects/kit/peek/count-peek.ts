/** What is known of a request to count a prompt's tokens. It asks for no answer, and nobody is charged for a count. */
import type { JsonDocument } from '../../../wire/json-document.ts';
import type { Peek } from '../../interface/peek.ts';
import { NO_MEDIA } from '../media/inline-media.ts';
import { promptBytesOf } from './prompt-bytes.ts';

/** `prompt` has the fields named in `promptFields`: the body, or an object in it. */
export function countPeek(
  known: Pick<Peek, 'model' | 'hasTools' | 'stored' | 'preferences'>,
  { bytes, values }: JsonDocument,
  prompt: JsonDocument,
  promptFields: readonly string[],
): Peek {
  return {
    ...known,
    stream: false,
    outputCap: null,
    choices: 1,
    namedTools: 0,
    wantsUsage: true,
    hasFormat: false,
    promptUnbounded: false,
    serverToolUses: 0,
    searchField: null,
    compacts: false,
    media: NO_MEDIA,
    promptBytes: promptBytesOf(prompt, promptFields, NO_MEDIA),
    bodyBytes: bytes.length,
    values,
    growth: 0,
    predictedTokens: 0,
    needsTarget: false,
  };
}
