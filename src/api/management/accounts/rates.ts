/** Applies changes of an account's rates in requests, and describes them in answers, in percent. */

import { GatewayError } from '../../../core/errors.ts';
import type { AccountRates } from '../../../core/rates/account-rates.ts';
import { feePercent, feeRate, markupPercent, markupRate, type Rate } from '../../../core/rates/rate.ts';
import type { RatesInput } from '../../contract/inputs/rates-input.ts';

const MODELS_MAX = 500;

/** The id of a model by any of its spellings; null if no model has it. */
export type ModelIdOf = (name: string) => string | null;

/**
 * Returns `before` with the changes. Throws `GatewayError` `invalid_value` for a markup of an unknown model; one that is no longer known can
 * be removed.
 */
export function changedRates(before: AccountRates, input: RatesInput, modelIdOf: ModelIdOf): AccountRates {
  const markup = changed(before.markup, input.markup, markupRate);
  const ownCredential = changed(before.ownCredential, input.own_credential_fee, feeRate);
  const models = changedModels(before.models ?? {}, input.models ?? {}, modelIdOf);
  return {
    ...(markup !== undefined && { markup }),
    ...(Object.keys(models).length > 0 && { models }),
    ...(ownCredential !== undefined && { ownCredential }),
  };
}

export function describeRates({ markup, models = {}, ownCredential }: AccountRates) {
  return {
    markup: markup === undefined ? null : markupPercent(markup),
    models: Object.fromEntries(Object.entries(models).map(([id, rate]) => [id, markupPercent(rate)])),
    own_credential_fee: ownCredential === undefined ? null : feePercent(ownCredential),
  };
}

function changed(
  before: Rate | undefined,
  percent: number | null | undefined,
  rateOf: (percent: number) => Rate,
): Rate | undefined {
  if (percent === undefined) return before;
  return percent === null ? undefined : rateOf(percent);
}

function changedModels(
  before: Readonly<Record<string, Rate>>,
  input: NonNullable<RatesInput['models']>,
  modelIdOf: ModelIdOf,
): Readonly<Record<string, Rate>> {
  const models = new Map(Object.entries(before));
  for (const [name, percent] of Object.entries(input)) {
    const id = modelIdOf(name) ?? (percent === null ? name : null);
    if (id === null)
      throw new GatewayError('invalid_value', {
        message: `rates.models: no model has the id ${JSON.stringify(name)}.`,
        param: 'rates.models',
      });
    if (percent === null) models.delete(id);
    else models.set(id, markupRate(percent));
  }
  if (models.size > MODELS_MAX)
    throw new GatewayError('invalid_value', {
      message: `rates.models: an account can have markups of at most ${MODELS_MAX} models.`,
      param: 'rates.models',
    });
  return Object.fromEntries([...models].sort(([left], [right]) => (left < right ? -1 : 1)));
}
