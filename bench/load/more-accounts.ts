/**
 * Accounts in addition to the first, each with a project and ten keys, numbered as `scripts/make-traffic.ts` numbers those whose
 * calls it makes up; and what a made-up call does not create: money, and the settlement of a first call.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MODELS, sampleCall, seeded } from '../../scripts/make-traffic/sample-calls.ts';
import type { Pepper } from '../../src/accounts/secret/pepper.ts';
import { accountId } from '../../src/core/ids.ts';
import { parseUsd } from '../../src/core/money.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { ACCOUNT_KEYS, numberedKey } from './numbered-keys.ts';

// The default of scripts/make-traffic.ts.
export const KEYS_EACH = 10;
const DAY_MS = 86_400_000;
/** Before all made-up traffic. */
const FIRST_CALL_DAYS_AGO = 100;
const CREDIT = parseUsd('1000');

/** Without the domain, which assigns its own numbers; the first account, with its first key, exists already. */
export function insertAccounts(folder: string, pepper: Pepper, accounts: number): void {
  const database = new DatabaseSync(join(folder, 'turnpike.db'));
  const account = database.prepare('INSERT INTO accounts (id, name, created_at) VALUES (?, ?, ?)');
  const project = database.prepare(
    `INSERT INTO projects (id, account_id, name, created_at) VALUES (?, ?, 'Default', ?)`,
  );
  const key = database.prepare(
    `INSERT INTO keys (id, project_id, name, label, kind, digest, pepper_id, created_at, limits, permissions)
     VALUES (?, ?, ?, ?, 'inference', ?, ?, ?, '{}', '{}')`,
  );
  const madeAt = Date.now() - (FIRST_CALL_DAYS_AGO + 1) * DAY_MS;
  database.exec('BEGIN');
  for (let number = 1; number <= accounts; number += 1) {
    if (number > 1) {
      account.run(number, `Account ${number}`, madeAt);
      project.run(number, number, madeAt);
    }
    for (let of = 1; of <= KEYS_EACH; of += 1) {
      const id = (number - 1) * KEYS_EACH + of;
      if (id === 1) continue;
      const secret = numberedKey(ACCOUNT_KEYS, id);
      key.run(id, number, `Key ${of}`, `sk-tp-…${secret.slice(-4)}`, pepper.digest(secret), pepper.id, madeAt);
    }
  }
  database.exec('COMMIT');
  database.close();
}

/** Each account is topped up and makes its first call, long ago. */
export async function creditAccounts({ ledger }: Storage, accounts: number): Promise<void> {
  const at = Date.now() - FIRST_CALL_DAYS_AGO * DAY_MS;
  const random = seeded(1);
  for (let number = 1; number <= accounts; number += 1) {
    const entry = { kind: 'topup', amount: CREDIT, reference: 'bench', note: null, callId: null } as const;
    await ledger.post({ ...entry, accountId: accountId(number), at }, () => null);
    const who = { accountId: number, projectId: number, keyId: (number - 1) * KEYS_EACH + 1 };
    const settlement = sampleCall(MODELS[0], who, at, random);
    await ledger.commit([{ type: 'settlement', settlement, hadHold: false, replay: null }]);
  }
}
