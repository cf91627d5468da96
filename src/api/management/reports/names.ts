/** Names of keys and projects for reports: including revoked keys and archived projects. */
import type { KeyRegistry } from '../../../accounts/key-registry.ts';
import type { ScopeMirror } from '../../../accounts/scope-mirror.ts';
import { type KeyId, keyId, type ProjectId, projectId } from '../../../core/ids.ts';

export interface NameSources {
  readonly keys: Pick<KeyRegistry, 'get'>;
  readonly scopes: Pick<ScopeMirror, 'findProject'>;
}

export interface Named {
  readonly id: number;
  readonly name: string;
}

/** The id serves as the name if the key does not exist, as in a copy of the data. */
export function namedKey({ keys }: NameSources, id: KeyId | number): Named {
  return { id, name: keys.get(keyId(id))?.name ?? `Key ${id}` };
}

export function namedProject({ scopes }: NameSources, id: ProjectId | number): Named {
  return { id, name: scopes.findProject(projectId(id))?.name ?? `Project ${id}` };
}
