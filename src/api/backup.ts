/** A backup of the data folder, made while it is served. */
import * as z from 'zod';
import { parseInput } from './reply-error.ts';
import type { ControlServices } from './services.ts';

const newBackup = z.strictObject({
  /** Absolute: the server's own folder is not the caller's. */
  folder: z.string().regex(/^\//, 'give an absolute path'),
  secrets: z.boolean().default(true),
});

export async function createBackup({ books }: Pick<ControlServices, 'books'>, body: unknown) {
  return { data: await books.backup(parseInput(newBackup, body ?? {})) };
}
