/** The commands of `turnpike`, in the order of the help. */

import type { Command, Flags } from '../command.ts';
import { closeAccount, createAccount, listAccounts, updateAccount } from './accounts.ts';
import { resetAdmin, verifyAudit } from './admin.ts';
import { backup, restoreBackup } from './backup.ts';
import { listEntries, showBalance } from './balance.ts';
import { disableKey, enableKey, updateKey } from './change-key.ts';
import { addProvider, disableProvider, enableProvider, removeProvider, updateProvider } from './change-providers.ts';
import { checkConfig } from './config-check.ts';
import { checkCredentials, rotateCredentials } from './credentials.ts';
import { doctor } from './doctor.ts';
import { createKey, listKeys } from './keys.ts';
import { exportLedger, sealLedger, verifyLedger } from './ledger.ts';
import { listModels } from './models.ts';
import { listMonths } from './months.ts';
import { addOperator, disablePerson, enablePerson, listPeople, removeOperator } from './people.ts';
import { addBalance, refundCall } from './post-balance.ts';
import { archiveProject, createProject, listProjects, updateProject } from './projects.ts';
import { listProviders, testProviders } from './providers.ts';
import { tailRecords } from './records.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';
import { serve } from './serve.ts';
import { version } from './version.ts';

export const commands: readonly Command[] = [
  serve,
  createKey,
  listKeys,
  updateKey,
  rotateKey,
  disableKey,
  enableKey,
  revokeKey,
  listProjects,
  createProject,
  updateProject,
  archiveProject,
  listAccounts,
  createAccount,
  updateAccount,
  closeAccount,
  showBalance,
  addBalance,
  refundCall,
  listEntries,
  listMonths,
  verifyLedger,
  exportLedger,
  sealLedger,
  backup,
  restoreBackup,
  listModels,
  listProviders,
  testProviders,
  addProvider,
  updateProvider,
  enableProvider,
  disableProvider,
  removeProvider,
  checkCredentials,
  rotateCredentials,
  tailRecords,
  listPeople,
  disablePerson,
  enablePerson,
  addOperator,
  removeOperator,
  resetAdmin,
  verifyAudit,
  checkConfig,
  doctor,
  version,
];

/** What every command takes. */
export const commonFlags: Flags = {
  data: { type: 'string', value: '<folder>', description: 'Data folder; ./data when absent' },
  config: {
    type: 'string',
    value: '<file>',
    description: 'Configuration file; $TURNPIKE_CONFIG, ./turnpike.yaml or /etc/turnpike/turnpike.yaml when absent',
  },
  json: { type: 'boolean', description: 'Print JSON' },
  help: { type: 'boolean', description: 'Print this' },
};

export function overviewText(): string {
  const width = Math.max(...commands.map((command) => usage(command).length));
  return [
    'Usage: turnpike <command> [flags]',
    '',
    ...commands.map((command) => `  ${usage(command).padEnd(width)}  ${command.summary}`),
    '',
    'Every command: --data <folder>, --config <file>, --json, --help.',
    'Exit codes: 0 done, 1 failed, 2 wrong command line. Errors are plain text on standard error, with --json too.',
  ].join('\n');
}

export function helpText(command: Command): string {
  const flags = Object.entries({ ...command.flags, ...commonFlags });
  const left = flags.map(([name, flag]) => `--${name}${flag.value === undefined ? '' : ` ${flag.value}`}`);
  const width = Math.max(...left.map((text) => text.length));
  return [
    `Usage: turnpike ${usage(command)} [flags]`,
    '',
    `${command.summary}.`,
    '',
    ...flags.map(([, flag], index) => `  ${(left[index] ?? '').padEnd(width)}  ${flag.description}`),
  ].join('\n');
}

function usage(command: Command): string {
  return command.parameters === undefined ? command.name : `${command.name} ${command.parameters}`;
}
