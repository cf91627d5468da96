/** `turnpike backup` and `turnpike restore`. */
import { resolve } from 'node:path';
import { maintenanceSetting, storageOf } from '../../../app/open-storage.ts';
import type { VerifyReport } from '../../../billing/maintenance-ports.ts';
import { CannotRestore, type RestoredRights } from '../../../storage/restore.ts';
import type { Command, CommandContext } from '../../command.ts';
import { CommandFailed } from '../../command-errors.ts';
import { connectToServer } from '../../control-client.ts';
import { readJson, shownText } from '../../output.ts';
import { verificationText } from '../money/ledger.ts';

const PATIENCE_MS = 6 * 3_600_000;

interface BackupRow {
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  readonly secrets: boolean;
  readonly rest: string | null;
}

export const backup: Command = {
  name: 'backup',
  summary: 'Back up the data folder into an empty folder, even while it is served; protect the copy like the original',
  parameters: '<folder>',
  parameterCount: { min: 1, max: 1 },
  flags: {
    'without-secrets': {
      type: 'boolean',
      description: 'Leave out pepper and sealing.key; no API key works without the pepper',
    },
  },
  async run(context) {
    // Absolute, because the server has another working directory.
    const body = {
      folder: resolve(context.cwd, context.parameters[0] ?? ''),
      secrets: !context.has('without-secrets'),
    };
    const control = await context.control();
    const text = await control.call('POST', '/control/api/backup', body, { patienceMs: PATIENCE_MS });
    if (context.json) {
      context.terminal.out(text);
      return 0;
    }
    const { data } = readJson<{ data: BackupRow }>(text);
    const secrets = data.secrets
      ? 'with the secrets'
      : 'without the secrets: back up pepper and sealing.key separately';
    context.terminal.out(`Backed up ${data.files} files (${data.bytes} bytes) to ${data.folder}, ${secrets}.`);
    if (data.rest !== null) context.terminal.out(`${data.rest}.`);
    return 0;
  },
};

export const restoreBackup: Command = {
  name: 'restore',
  summary: 'Restore a backup into an empty data folder (--data), after checking each file; then verify the ledger',
  parameters: '<folder>',
  parameterCount: { min: 1, max: 1 },
  flags: {
    'revoke-all': {
      type: 'boolean',
      description: 'Revoke every key, invitation, session and one-use link in the backup',
    },
  },
  async run(context) {
    // Restoring needs no providers.
    const { config } = context.config('serving');
    const dataFolder = resolve(context.cwd, config.dataFolder);
    if ((await connectToServer(dataFolder)) !== null)
      throw new CommandFailed(`A server is running on ${dataFolder}; restore into an empty folder.`);
    const restored = await storageOf(config)
      .restore({
        from: resolve(context.cwd, context.parameters[0] ?? ''),
        to: dataFolder,
        maintenance: maintenanceSetting(config),
      })
      .catch((error: unknown) => {
        throw error instanceof CannotRestore ? new CommandFailed(error.message) : error;
      });
    if (!context.json)
      context.terminal.note(
        `Restored ${restored.files} files into ${dataFolder}, as of ${new Date(restored.createdAt).toISOString()}.`,
      );
    if (!restored.secrets)
      context.terminal.note(
        `The backup has no secrets: put pepper and sealing.key into ${dataFolder} before you start the server.`,
      );
    const rights = restored.rights();
    const isRevoked = context.has('revoke-all');
    if (isRevoked) await restored.revokeRights(context.doors.now());
    const report = await restored.verify();
    return printResult(context, report, rights, isRevoked);
  },
};

function printResult(
  context: CommandContext,
  report: VerifyReport,
  rights: RestoredRights,
  isRevoked: boolean,
): number {
  const { violations, violationCount, missingRecords, unownedSettlements, note: _none, ...counts } = report;
  const lost = unownedSettlements === undefined ? {} : { unowned_settlements: unownedSettlements };
  const seen = { ...counts, missing_records: missingRecords, ...lost };
  const data = { ok: violationCount === 0, violation_count: violationCount, violations, looked_at: seen };
  if (context.json)
    context.terminal.out(JSON.stringify({ data: { ...data, restored: { ...rights, revoked: isRevoked } } }));
  else for (const line of [...verificationText(data), ...rightsText(rights, isRevoked)]) context.terminal.out(line);
  return data.ok ? 0 : 1;
}

const LISTED_MAX = 100;

/** Keys, invitations, sessions and links that the restore makes active again: changes since the backup are lost. */
function rightsText({ keys, invitations, sessions, links }: RestoredRights, isRevoked: boolean): string[] {
  const found = `${keys.length} keys, ${invitations.length} invitations, ${sessions} sessions and ${links} one-use links`;
  if (isRevoked)
    return [
      `Revoked everything that was active in the backup: ${found}. Disabled and archived keys are revoked as well.`,
    ];
  if (keys.length + invitations.length + sessions + links === 0) return [];
  return [
    `Active in the backup, and active again even if revoked or used since: ${found}.`,
    ...listed(keys, ({ id, name, label, kind, project, account }) => {
      const management = kind === 'management' ? ', management' : '';
      return `key ${id} "${shownText(name)}" (${label}${management}) of ${shownText(account)} / ${shownText(project)}`;
    }),
    ...listed(invitations, ({ id, email, role, account }) => {
      const addressee = email ?? 'anyone with the link';
      return `invitation ${id} for ${shownText(addressee)} to ${shownText(account)} as ${role}`;
    }),
    'Revoke what should not be active, or restore with --revoke-all. Members, roles, passwords and recovery codes are also as they were.',
  ];
}

function listed<Item>(items: readonly Item[], describe: (item: Item) => string): string[] {
  const lines = items.slice(0, LISTED_MAX).map((item) => `  ${describe(item)}`);
  return items.length > LISTED_MAX ? [...lines, `  and ${items.length - LISTED_MAX} more (--json lists all)`] : lines;
}
