/** The rates that the configuration sets, in percent. */
import type { InstallationRates } from '../billing/rates.ts';
import { knownIdOf } from '../catalog/models.ts';
import type { Config } from '../config/config.ts';
import { feeRate, markupRate } from '../core/rates/rate.ts';

/** The percentages were checked with the configuration. A known model may be in any of its spellings, as everywhere in the file. */
export function installationRates({
  markup,
  modelMarkups,
  ownCredentialFee,
}: Pick<Config['billing'], 'markup' | 'modelMarkups' | 'ownCredentialFee'>): InstallationRates {
  return {
    markup: markupRate(markup),
    models: new Map(
      modelMarkups.flatMap(({ model, markup: percent }) => {
        const at = markupRate(percent);
        return [model, knownIdOf(model) ?? model].map((id) => [id, at] as const);
      }),
    ),
    ownCredential: feeRate(ownCredentialFee),
  };
}
