/** Files as callers see them: https://platform.openai.com/docs/api-reference/files/object */
import type { FileList } from '../../files/callers-files.ts';
import type { FileRow } from '../../files/ports.ts';

export function fileObject({ id, bytes, createdAt, expiresAt, name, purpose }: FileRow): object {
  return {
    id,
    object: 'file',
    bytes,
    created_at: seconds(createdAt),
    expires_at: seconds(expiresAt),
    filename: name,
    purpose,
    status: 'processed',
  };
}

export function listObject({ files, hasMore }: FileList): object {
  return {
    object: 'list',
    data: files.map(fileObject),
    first_id: files[0]?.id ?? null,
    last_id: files.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

export function deletedObject({ id }: FileRow): object {
  return { id, object: 'file', deleted: true };
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
