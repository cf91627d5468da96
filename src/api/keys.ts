/** Keys on the control plane: listed and made and revoked; a secret is told once, in the answer that made it. */
import * as z from 'zod';
import { type Key, keyStatus } from '../accounts/keys.ts';
import type { Project } from '../accounts/ports.ts';
import { GatewayError } from '../core/errors.ts';
import { parseInput } from './reply-error.ts';
import type { ControlServices } from './services.ts';

type Services = Pick<ControlServices, 'keys' | 'projects' | 'clock'>;

const newKey = z.strictObject({
  name: z.string().trim().min(1).max(200).nullable().default(null),
  /** Name or id; null is the oldest one that is not archived. */
  project: z.union([z.string(), z.int()]).nullable().default(null),
  expires_at: z.iso.datetime({ offset: true }).nullable().default(null),
  kind: z.enum(['inference', 'management']).default('inference'),
});

const listQuery = z.strictObject({ include_revoked: z.enum(['true', 'false']).default('false') });

export async function listKeys(services: Services, query: unknown) {
  const { include_revoked } = parseInput(listQuery, query);
  const projects = await services.projects();
  const nowMs = services.clock.now();
  const keys = [...services.keys.list()].filter((key) => include_revoked === 'true' || key.revokedAt === null);
  return { data: keys.map((key) => describeKey(key, projects, nowMs)), total_count: keys.length };
}

export async function createKey(services: Services, body: unknown) {
  const request = parseInput(newKey, body ?? {});
  const nowMs = services.clock.now();
  const expiresAt = request.expires_at === null ? null : Date.parse(request.expires_at);
  if (expiresAt !== null && expiresAt <= nowMs) {
    throw new GatewayError('invalid_value', { message: 'expires_at lies in the past.', param: 'expires_at' });
  }
  const projects = await services.projects();
  const project = findProject(projects, request.project);
  const { key, secret } = await services.keys.create({
    projectId: project.id,
    name: request.name,
    kind: request.kind,
    expiresAt,
  });
  return { data: describeKey(key, projects, nowMs), key: secret.reveal() };
}

/** By id, label or name. More than one match is a conflict: revoking the wrong key cannot be undone. */
export async function revokeKey(services: Services, reference: string) {
  const matches = [...services.keys.list()].filter(
    (key) => String(key.id) === reference || key.label === reference || key.name === reference,
  );
  const active = matches.filter((key) => key.revokedAt === null);
  // Only where nothing is left to revoke does a revoked key answer: revoking twice changes nothing.
  const candidates = active.length > 0 ? active : matches.slice(-1);
  const [found, ...others] = candidates;
  if (found === undefined)
    throw new GatewayError('not_found', { message: 'There is no key of this id, label or name.' });
  if (others.length > 0) {
    const ids = candidates.map((key) => key.id);
    throw new GatewayError('conflict', {
      message: `Several keys answer to this; give one of the ids ${ids.join(', ')}.`,
      facts: { ids },
    });
  }
  const revoked = await services.keys.revoke(found.id);
  if (revoked === null) throw new GatewayError('not_found', { message: 'There is no such key any more.' });
  return { data: describeKey(revoked, await services.projects(), services.clock.now()) };
}

function findProject(projects: readonly Project[], wanted: string | number | null): Project {
  const usable = projects.filter((project) => project.archivedAt === null);
  if (wanted === null) {
    const [first] = usable;
    if (first === undefined) throw new GatewayError('not_found', { message: 'There is no project yet.' });
    return first;
  }
  const matches = usable.filter((project) => project.name === wanted || String(project.id) === String(wanted));
  const [found, ...others] = matches;
  if (found === undefined)
    throw new GatewayError('not_found', { message: 'There is no such project.', param: 'project' });
  if (others.length > 0) {
    const ids = matches.map((project) => project.id);
    throw new GatewayError('conflict', {
      message: `Several projects answer to this; give one of the ids ${ids.join(', ')}.`,
      param: 'project',
    });
  }
  return found;
}

function describeKey(key: Key, projects: readonly Project[], nowMs: number) {
  const project = projects.find((each) => each.id === key.projectId);
  return {
    id: key.id,
    label: key.label,
    name: key.name,
    kind: key.kind,
    status: keyStatus(key, nowMs),
    disabled: key.disabled,
    project: { id: key.projectId, name: project?.name ?? null },
    created_at: isoTime(key.createdAt),
    created_by: key.createdBy,
    expires_at: isoTime(key.expiresAt),
    revoked_at: isoTime(key.revokedAt),
  };
}

function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
