/** `turnpike admin` and `turnpike audit`: the way back into the dashboard, and whether its log is whole. */
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
  summary: 'Print a one-use link that lets an operator into the dashboard again, with a new password',
  flags: {
    email: { type: 'string', value: '<address>', description: 'Whom it is for; the oldest operator when absent' },
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
    const whom = data.email === null ? 'makes the first operator' : `sets a new password for ${data.email}`;
    context.terminal.note(
      `This link ${whom}, once, until ${shortTime(data.expires_at)} UTC. Whoever has it is let in:`,
    );
    context.terminal.out(data.url);
    return 0;
  },
};

export const verifyAudit: Command = {
  name: 'audit verify',
  summary: 'Check that no row of the audit log was changed or taken out; fails when one was',
  async run(context) {
    const control = await context.control();
    const text = await control.call('POST', '/control/api/audit/verify', undefined, { patienceMs: PATIENCE_MS });
    const { data } = readJson<{ data: { readonly ok: boolean; readonly broken_at: number | null } }>(text);
    if (context.json) context.terminal.out(text);
    else
      context.terminal.out(
        data.ok
          ? 'The audit log is whole.'
          : `The audit log was tampered with: entry ${data.broken_at} is not what was written, or is missing.`,
      );
    return data.ok ? 0 : 1;
  },
};
