/** The contract of every storage, as tests: each member runs this suite against itself. */
import { test } from 'node:test';
import { accountPromises } from './contract/accounts.ts';
import { aliasPromises } from './contract/aliases.ts';
import { auditPromises } from './contract/audit.ts';
import { batchPromises } from './contract/batches.ts';
import { capturePromises } from './contract/captures.ts';
import { changePromises } from './contract/changes.ts';
import { creationPromises } from './contract/creations.ts';
import { filePromises } from './contract/files.ts';
import { ledgerPromises } from './contract/ledger.ts';
import { linkPromises } from './contract/links.ts';
import { maintenancePromises } from './contract/maintenance.ts';
import { membershipPromises } from './contract/memberships.ts';
import { moneyPromises } from './contract/money.ts';
import { ownCredentialPromises } from './contract/own-credentials.ts';
import { peoplePromises } from './contract/people.ts';
import { pricePromises } from './contract/prices.ts';
import { providerPromises } from './contract/providers.ts';
import { recordPromises } from './contract/records.ts';
import { replayPromises } from './contract/replays.ts';
import { secretPromises } from './contract/secrets.ts';
import { statsPromises } from './contract/stats.ts';
import type { Promising, StorageUnderTest } from './contract/storage-under-test.ts';
import { storedIdPromises } from './contract/stored-ids.ts';

type Open = () => Promise<StorageUnderTest>;

/** Tests every port of `Storage`. */
export function storageContract(name: string, open: Open): void {
  const openWithAccounts = () => withAccounts(open);
  ledgerContract(name, openWithAccounts);
  controlPlaneContract(name, open);
  storedCallsContract(name, openWithAccounts);
  filePromises(promisingOf(name, open));
  maintenancePromises(promisingOf(name, open));
}

/** With the accounts whose calls and entries the promises are about: a database of several nodes charges no others. */
async function withAccounts(open: Open): Promise<StorageUnderTest> {
  const subject = await open();
  for (const name of ACCOUNT_NAMES) await subject.storage.accounts.createAccount({ name, createdAt: 0 });
  return subject;
}

/** Tests the ports whose SQL every database shares, and secrets: people, accounts, providers, aliases, prices. */
export function controlPlaneContract(name: string, open: Open): void {
  const promise = promisingOf(name, open);
  for (const promises of OF_THE_CONTROL_PLANE) promises(promise);
}

/** Tests records, stored bodies and reports, in a storage that has accounts 1 to 3. */
export function storedCallsContract(name: string, open: Open): void {
  const promise = promisingOf(name, open);
  for (const promises of OF_STORED_CALLS) promises(promise);
}

/** Tests the ledger only: for another way to commit in the same storage, which has accounts 1 to 3 if it needs them. */
export function ledgerContract(name: string, open: Open): void {
  const promise = promisingOf(name, open);
  for (const promises of OF_THE_LEDGER) promises(promise);
}

const OF_THE_LEDGER = [ledgerPromises, moneyPromises, replayPromises, storedIdPromises];

const OF_THE_CONTROL_PLANE = [
  secretPromises,
  accountPromises,
  changePromises,
  pricePromises,
  providerPromises,
  ownCredentialPromises,
  aliasPromises,
  peoplePromises,
  linkPromises,
  membershipPromises,
  auditPromises,
  creationPromises,
  batchPromises,
];

const OF_STORED_CALLS = [recordPromises, capturePromises, statsPromises];

const ACCOUNT_NAMES = ['first', 'second', 'third'];

function promisingOf(name: string, open: Open): Promising {
  return (sentence, run) =>
    void test(`${name}: ${sentence}`, async () => {
      let subject = await open();
      try {
        subject = (await run(subject)) ?? subject;
      } finally {
        await subject.dispose();
      }
    });
}
