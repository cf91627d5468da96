/** What only the control plane does for the dashboard: lets an operator in again, and checks the audit log. */
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { AuditStore } from '../members/ports.ts';
import { emailInput } from './contract/sign-in.ts';
import { parseInput } from './reply-error.ts';

export interface AdminServices {
  /**
   * A one-use link with which an operator sets a new password and does without a lost second factor; for the oldest operator
   * where no address is given, and a set-up link where there is none yet. Throws `GatewayError` `not_found`.
   */
  adminReset(email: string | null): Promise<AdminReset>;
  readonly audit: Pick<AuditStore, 'verify'>;
}

export interface AdminReset {
  /** Whom it lets in; null for a set-up link. */
  readonly email: string | null;
  /** With the token: shown once, to who may open the control socket. */
  readonly url: string;
  /** Wall time, ms. */
  readonly expiresAt: number;
}

const resetRequest = z.strictObject({ email: emailInput.nullable().default(null) });

export function addAdminRoutes(control: FastifyInstance, services: AdminServices): void {
  control.post('/control/admin/reset', (request) => resetAdmin(services, request.body));
  control.post('/control/audit/verify', () => verifyAudit(services));
}

async function resetAdmin(services: AdminServices, body: unknown) {
  const { email, url, expiresAt } = await services.adminReset(parseInput(resetRequest, body ?? {}).email);
  return { data: { email, url, expires_at: new Date(expiresAt).toISOString() } };
}

async function verifyAudit({ audit }: AdminServices) {
  const brokenAt = await audit.verify();
  return { data: { ok: brokenAt === null, broken_at: brokenAt } };
}
