/** Goal: an account that the database does not have any more gets no money, which nobody would have. Method: entries on a real PostgreSQL. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPostgresBank } from '../../../../test/support/postgres/bank-under-test.ts';
import { serverNames } from '../../../../test/support/postgres/servers.ts';
import { entryRefusalError } from '../../../billing/entry-refusal-error.ts';
import { postingRules } from '../../../billing/posting-rules.ts';
import { accountId } from '../../../core/ids.ts';
import { nanoUsd } from '../../../core/money.ts';
import { SqlEntries } from '../../sql/entries.ts';
import { openControlDatabase } from '../control-stores.ts';
import { FundBalances } from './fund-balances.ts';

for (const server of serverNames)
  test(`PostgreSQL ${server}: an entry of an account that is not there is refused, and leaves nothing`, async (context) => {
    const subject = await openPostgresBank(server);
    context.after(() => subject.dispose());
    const [{ control, query }] = subject.connections;
    const { kysely, transactions } = openControlDatabase(control);
    const entries = new SqlEntries(kysely, transactions, new FundBalances(kysely, true));
    const what = { kind: 'topup', amount: nanoUsd(5n), reference: 'pay-1', callId: null, note: null, at: 1 } as const;
    const entry = { ...what, accountId: accountId(40) };
    const post = () => entries.post(entry, postingRules(entry, 'prepaid', null));
    assert.deepEqual(await post(), { refused: 'unknown_account' });
    const { status, code } = entryRefusalError('unknown_account', entry);
    assert.deepEqual([status, code], [404, 'not_found']);
    assert.equal((await query('select from funds where account_id = 40')).count, 0);
    await subject.makeAccount(entry.accountId, 0);
    assert.equal((await post()).refused, null);
    assert.equal((await subject.account(entry.accountId)).balance, 5n);
  });
