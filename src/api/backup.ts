/** A backup of the data folder, made while it is served. */
import * as z from 'zod';
import { parseInput } from './reply-error.ts';
import type { ControlServices } from './services.ts';

const newBackup = z.strictObject({
  /** Absolute: the server's own folder is not the caller's. */
  folder: z.string().regex(/^\//, 'give an absolute path'),
  secrets: z.boolean().default(true),
});

export async function createBackup({ books, audit }: Pick<ControlServices, 'books' | 'audit'>, body: unknown) {
  const report = await books.backup(parseInput(newBackup, body ?? {}));
  const { folder, files, bytes, secrets } = report;
  // It changes nothing here, but everything here is there too.
  await audit({
    action: 'backup.create',
    subject: { kind: 'backup', id: folder, name: null },
    accountId: null,
    before: null,
    after: { files, bytes, secrets },
  });
  return { data: report };
}
