/** What every door says of a key's state. */
import { isGood, type Key, type KeyStatus, keyStatus } from '../../../accounts/keys.ts';
import type { Project } from '../../../accounts/ports.ts';

/** A key that would be good is refused all the same while its project is archived. */
export function statusOf(key: Key, project: Project | undefined, nowMs: number): KeyStatus | 'archived' {
  const isArchived = project !== undefined && project.archivedAt !== null;
  return isArchived && isGood(key, nowMs) ? 'archived' : keyStatus(key, nowMs);
}
