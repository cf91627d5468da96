/** Goal: the model of the bank keeps the promises of every bank, so that what is proven with it holds. Method: the contract of banks. */
import { openMemoryBank } from '../../../test/support/memory-bank-under-test.ts';
import { bankContract } from '../contract.ts';

bankContract('the model', openMemoryBank);
