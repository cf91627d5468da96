/** The table of storages. */
import { sqlite } from './sqlite/member.ts';
import type { StorageMember } from './storage.ts';

export const storages = { sqlite } as const satisfies Readonly<Record<string, StorageMember>>;
