/** `turnpike admin` and `turnpike audit`: regaining access to the dashboard, and verifying the audit log. */
import type { Command } from '../../command.ts';
import { readJson, shortTime } from '../../output.ts';

interface Reset {
  readonly email: string | null;
  readonly url: string;
  readonly expires_at: string;
}

/** The whole log is read. */
const PATIENCE_MS = 3_600_000;

export const resetAdmin: Command = {
  name: 'admin reset',
  summary: 'Print a one-use link with which an operator sets a new dashboard password',
  flags: {
    email: { type: 'string', value: '<address>', description: 'Email address of the operator; default: the oldest' },
  },
  async run(context) {
    const email = context.text('email');
    const control = await context.control();
    const text = await control.call('POST', '/control/api/admin/reset', { email });
    if (context.json) {
      context.terminal.out(text);
      return 0;
    }
    const { data } = readJson<{ data: Reset }>(text);
    const action = data.email === null ? 'creates the admin account' : `sets a new password for ${data.email}`;
    context.terminal.note(
      `This link ${action}. It works once, until ${shortTime(data.expires_at)} UTC, for anyone who has it:`,
    );
    context.terminal.out(data.url);
    return 0;
  },
};

export const verifyAudit: Command = {
  name: 'audit verify',
  summary: 'Check that no entry of the audit log was changed or removed; fails if one was',
  async run(context) {
    const control = await context.control();
    const text = await control.call('POST', '/control/api/audit/verify', undefined, { patienceMs: PATIENCE_MS });
    const { data } = readJson<{ data: { readonly ok: boolean; readonly broken_at: number | null } }>(text);
    if (context.json) context.terminal.out(text);
    else
      context.terminal.out(
        data.ok
          ? 'The audit log is intact.'
          : `The audit log was tampered with: entry ${data.broken_at} was changed or removed.`,
      );
    return data.ok ? 0 : 1;
  },
};
