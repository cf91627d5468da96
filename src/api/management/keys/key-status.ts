/** The status of a key in answers. */
import { isGood, type Key, type KeyStatus, keyStatus } from '../../../accounts/keys.ts';
import type { Project } from '../../../accounts/ports.ts';

/** `archived` for a good key in an archived project, which is refused. */
export function statusOf(key: Key, project: Project | undefined, nowMs: number): KeyStatus | 'archived' {
  const isArchived = project !== undefined && project.archivedAt !== null;
  return isArchived && isGood(key, nowMs) ? 'archived' : keyStatus(key, nowMs);
}
