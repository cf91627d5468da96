/** The rates of an account, as stored in its row: parts per million, `{}` for the installation's. */
import { type AccountRates, NO_ACCOUNT_RATES } from '../../core/rates/account-rates.ts';

export function readRates(text: string): AccountRates {
  return text === '{}' ? NO_ACCOUNT_RATES : (JSON.parse(text) as AccountRates);
}

export function writeRates({ markup, models, ownCredential }: AccountRates): string {
  const hasModels = models !== undefined && Object.keys(models).length > 0;
  return JSON.stringify({ markup, ...(hasModels && { models }), ownCredential });
}
