/** The commands of `turnpike`, in the order of the help. */

import type { Command } from '../command.ts';
import { closeAccount, createAccount, listAccounts, updateAccount } from './accounts/accounts.ts';
import { archiveProject, createProject, listProjects, updateProject } from './accounts/projects.ts';
import { createAlias, deleteAlias, listAliases, updateAlias } from './aliases/aliases.ts';
import { cancelBatch, listBatches, showBatch } from './batches/batches.ts';
import {
  addOwnCredential,
  disableOwnCredential,
  enableOwnCredential,
  removeOwnCredential,
  rotateOwnCredential,
  updateOwnCredential,
} from './byok/change-byok.ts';
import { listOwnCredentials, testOwnCredentials } from './byok/list-byok.ts';
import { disableKey, enableKey, updateKey } from './keys/change-key.ts';
import { createKey, listKeys } from './keys/keys.ts';
import { revokeKey } from './keys/revoke-key.ts';
import { rotateKey } from './keys/rotate-key.ts';
import { backup, restoreBackup } from './machine/backup.ts';
import { checkConfig } from './machine/config-check.ts';
import { checkCredentials, rotateCredentials } from './machine/credentials.ts';
import { doctor } from './machine/doctor.ts';
import { migrateLedger } from './machine/migrate.ts';
import { listNodes } from './machine/nodes.ts';
import { tailRecords } from './machine/records.ts';
import { serve } from './machine/serve.ts';
import { setAsideCalls } from './machine/set-aside.ts';
import { version } from './machine/version.ts';
import { adoptLedger } from './money/adopt.ts';
import { listEntries, showBalance } from './money/balance.ts';
import { exportLedger, sealLedger, verifyLedger } from './money/ledger.ts';
import { listMonths } from './money/months.ts';
import { addBalance, refundCall } from './money/post-balance.ts';
import { resetAdmin, verifyAudit } from './people/admin.ts';
import { addOperator, disablePerson, enablePerson, listPeople, removeOperator } from './people/people.ts';
import { addProviderCredential, removeProviderCredential } from './providers/change-credentials.ts';
import {
  addProvider,
  disableProvider,
  enableProvider,
  removeProvider,
  updateProvider,
} from './providers/change-providers.ts';
import { diffModels, importModels, pinModels } from './providers/model-prices.ts';
import { listModels } from './providers/models.ts';
import { listProviders, testProviders } from './providers/providers.ts';
import { showProvider } from './providers/show-provider.ts';

export const commands: readonly Command[] = [
  serve,
  createKey,
  listKeys,
  updateKey,
  rotateKey,
  disableKey,
  enableKey,
  revokeKey,
  listBatches,
  showBatch,
  cancelBatch,
  listProjects,
  createProject,
  updateProject,
  archiveProject,
  listAccounts,
  createAccount,
  updateAccount,
  closeAccount,
  listAliases,
  createAlias,
  updateAlias,
  deleteAlias,
  showBalance,
  addBalance,
  refundCall,
  listEntries,
  listMonths,
  verifyLedger,
  exportLedger,
  sealLedger,
  adoptLedger,
  backup,
  restoreBackup,
  migrateLedger,
  listModels,
  diffModels,
  importModels,
  pinModels,
  listProviders,
  testProviders,
  addProvider,
  updateProvider,
  enableProvider,
  disableProvider,
  removeProvider,
  showProvider,
  addProviderCredential,
  removeProviderCredential,
  listOwnCredentials,
  testOwnCredentials,
  addOwnCredential,
  updateOwnCredential,
  rotateOwnCredential,
  enableOwnCredential,
  disableOwnCredential,
  removeOwnCredential,
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
  listNodes,
  setAsideCalls,
  doctor,
  version,
];
