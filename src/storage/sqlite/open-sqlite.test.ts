/** Goal: the SQLite storage keeps the promises of every storage; those of the ledger with either durability. */
import { ledgerContract, storageContract } from '../contract.ts';
import { openSqliteUnderTest } from './sqlite-under-test.ts';

storageContract('sqlite', () => openSqliteUnderTest());
ledgerContract('sqlite, durability power', () => openSqliteUnderTest({ durability: 'power' }));
