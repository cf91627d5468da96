/**
 * Thoughts that an earlier turn of the conversation brought, in OpenRouter's form: translated answers have them, and its clients send them
 * back. A provider that does not know the field refuses the whole request, so they are removed from it.
 *
 * https://openrouter.ai/docs/use-cases/reasoning-tokens#preserving-reasoning-blocks
 */
import type { JsonDocument } from '../../../wire/json-document.ts';
import { type Edit, removeField } from '../../../wire/json-splice.ts';

/** The removals, in order of position; of two in one message only the last, which is what a parser would read. */
export function foreignThoughts(document: JsonDocument): readonly Edit[] {
  const found = document.watched.filter(({ path }) => path === PATH);
  return found
    .filter(({ objectStart }, index) => found[index + 1]?.objectStart !== objectStart)
    .map((field) => removeField(document, field));
}

/** The key that the scan of a body must report. */
export const thoughtsKey = 'reasoning_details';
/** Where they are. */
export const PATH = `messages[].${thoughtsKey}`;
