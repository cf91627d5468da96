/** Refuses new things for closed accounts and archived projects. */
import { GatewayError } from '../core/errors.ts';
import type { Account, Project } from './ports.ts';

/** Throws `GatewayError` `conflict` for an account that is closed. */
export function checkOpen(account: Pick<Account, 'closedAt' | 'name'>): void {
  if (account.closedAt === null) return;
  throw new GatewayError('conflict', { message: `The account "${account.name}" is permanently closed.` });
}

/** Throws `GatewayError` `conflict` for a project that is archived. */
export function checkNotArchived<Checked extends Pick<Project, 'archivedAt' | 'name'>>(project: Checked): Checked {
  if (project.archivedAt === null) return project;
  throw new GatewayError('conflict', {
    message: `Project "${project.name}" is archived, so no key can be created in it.`,
    param: 'project',
  });
}
