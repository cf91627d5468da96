/** The rates that the configuration sets, in percent. */
import type { InstallationRates } from '../billing/rates.ts';
import type { Config } from '../config/config.ts';
import { feeRate, markupRate } from '../core/rates/rate.ts';

/** The percentages were checked with the configuration. */
export function installationRates({
  markup,
  modelMarkups,
  ownCredentialFee,
}: Pick<Config['billing'], 'markup' | 'modelMarkups' | 'ownCredentialFee'>): InstallationRates {
  return {
    markup: markupRate(markup),
    models: new Map(modelMarkups.map(({ model, markup: percent }) => [model, markupRate(percent)])),
    ownCredential: feeRate(ownCredentialFee),
  };
}
