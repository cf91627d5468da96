/** The rates of an account, as stored in its row: parts per million, `{}` for the installation's. */
import { type AccountRates, NO_ACCOUNT_RATES } from '../../core/rates/account-rates.ts';
import { checkedObject, checkNumbers, storedObject } from './stored-json.ts';

export function readRates(text: string): AccountRates {
  if (text === '{}') return NO_ACCOUNT_RATES;
  const stored = storedObject(text);
  checkNumbers(stored, ['markup', 'ownCredential']);
  if (stored.models !== undefined) {
    const models = checkedObject(stored.models, 'models');
    checkNumbers(models, Object.keys(models));
  }
  return stored as AccountRates;
}

export function writeRates({ markup, models, ownCredential }: AccountRates): string {
  const hasModels = models !== undefined && Object.keys(models).length > 0;
  return JSON.stringify({ markup, ...(hasModels && { models }), ownCredential });
}
