/** What an account is charged above or below the list price, in percent: null removes one, an absent one stays. */
import * as z from 'zod';
import { isPercent, PERCENT_MAX } from '../../../core/rates/rate.ts';

const percent = z
  .number()
  .refine(isPercent, `it must be a percentage from 0 to ${PERCENT_MAX} with at most 4 decimal places`);
const change = percent.nullable().optional();
const MODELS_MAX = 500;
const ID_LENGTH_MAX = 300;

export const ratesInput = z.strictObject({
  /** Above the list price, of every model without a markup of its own. */
  markup: change,
  /** The same by model id. */
  models: z
    .record(z.string().max(ID_LENGTH_MAX), percent.nullable())
    .refine((models) => Object.keys(models).length <= MODELS_MAX, `it has at most ${MODELS_MAX} models`)
    .meta({ maxProperties: MODELS_MAX })
    .optional(),
  /** Of the list price, for calls with own credentials of the account. */
  own_credential_fee: change,
});

/** Null: the installation's. */
export const ratesOut = z.strictObject({
  markup: z.number().nullable(),
  models: z.record(z.string(), z.number()),
  own_credential_fee: z.number().nullable(),
});

export type RatesInput = z.output<typeof ratesInput>;
