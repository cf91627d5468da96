/** The table of storages. */
import { postgres } from './postgres/member.ts';
import { sqlite } from './sqlite/member.ts';
import type { StorageMember } from './storage.ts';

export const storages = { sqlite, postgres } as const satisfies Readonly<Record<string, StorageMember>>;
