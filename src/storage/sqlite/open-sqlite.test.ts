/** Goal: the SQLite storage keeps the promises of every storage, with either durability. */
import { storageContract } from '../contract.ts';
import { openSqliteUnderTest } from './sqlite-under-test.ts';

for (const durability of ['process', 'power'] as const)
  storageContract(`sqlite, durability ${durability}`, () => openSqliteUnderTest({ durability }));
