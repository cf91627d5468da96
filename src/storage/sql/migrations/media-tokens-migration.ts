/**
 * Migration `0011_media_tokens`: never changed after its release. Tokens of sounds that were read from a cache, and of images in an answer;
 * earlier settlements have none.
 */
import type { Kysely } from 'kysely';

export async function addMediaTokens({ schema }: Kysely<unknown>): Promise<void> {
  for (const table of ['settlements', 'holds'])
    for (const column of ['cached_audio_tokens', 'output_image_tokens'])
      await schema
        .alterTable(table)
        .addColumn(column, 'integer', (definition) => definition.notNull().defaultTo(0))
        .execute();
}
