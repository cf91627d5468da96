/** The rates that the configuration sets, in percent. */
import type { InstallationRates } from '../billing/rates.ts';
import { knownIdOf } from '../catalog/models.ts';
import type { Config } from '../config/config.ts';
import { feeRate, markupRate, type Rate } from '../core/rates/rate.ts';

/** The percentages were checked with the configuration. A known model may be in any of its spellings, as everywhere in the file. */
export function installationRates({
  markup,
  modelMarkups,
  ownCredentialFee,
  batchPercent = 100,
}: Pick<Config['billing'], 'markup' | 'modelMarkups' | 'ownCredentialFee'> &
  Partial<Pick<Config['billing'], 'batchPercent'>>): InstallationRates {
  return {
    markup: markupRate(markup),
    models: byId(modelMarkups, ({ markup: percent }) => markupRate(percent)),
    ownCredential: feeRate(ownCredentialFee),
    batch: feeRate(batchPercent),
    batchModels: byId(modelMarkups, ({ batchPercent: percent }) => (percent === undefined ? null : feeRate(percent))),
  };
}

type ModelMarkup = Config['billing']['modelMarkups'][number];

function byId(
  markups: readonly ModelMarkup[],
  rateOf: (markup: ModelMarkup) => Rate | null,
): ReadonlyMap<string, Rate> {
  return new Map(
    markups.flatMap((markup) => {
      const at = rateOf(markup);
      const { model } = markup;
      return at === null ? [] : [model, knownIdOf(model) ?? model].map((id) => [id, at] as const);
    }),
  );
}
