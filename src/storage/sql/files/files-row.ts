import type { FilePurpose } from '../../../files/ports.ts';

/** A file of a caller; see `FileRow` of `files/ports.ts`. */
export interface FilesRow {
  /** 16 bytes, which begin with the time of its creation. */
  id: Uint8Array;
  account_id: number;
  project_id: number;
  purpose: FilePurpose;
  name: string;
  bytes: number;
  created_at: number;
  expires_at: number;
  is_complete: number;
}
