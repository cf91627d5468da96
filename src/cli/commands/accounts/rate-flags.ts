/** The flags for what an account is charged above or below the list price. `none` returns to the installation's rates. */
import { isPercent, PERCENT_MAX } from '../../../core/rates/rate.ts';
import type { CommandContext, Flags } from '../../command.ts';
import { UsageError } from '../../command-errors.ts';

const NONE = 'none';

export const rateFlags: Flags = {
  markup: {
    type: 'string',
    value: '<percent>',
    description: 'Percent above the list price; none: the markup of the installation',
  },
  'model-markup': {
    type: 'string',
    value: '<model=percent>',
    description: 'The same for one model; acme/large=none removes it; repeatable',
    repeatable: true,
  },
  'own-credential-fee': {
    type: 'string',
    value: '<percent>',
    description: 'Percent of the list price for calls with own credentials; none: the fee of the installation',
  },
};

export interface RateRow {
  readonly markup: number | null;
  readonly models: Readonly<Record<string, number>>;
  readonly own_credential_fee: number | null;
}

/** The changes from the flags, as the management API takes them; empty without any. */
export function ratesAsked(context: CommandContext): Readonly<Record<string, unknown>> {
  const markup = context.text('markup');
  const fee = context.text('own-credential-fee');
  const models = context.list('model-markup').map((text) => readModel(text));
  return {
    ...(markup === null ? {} : { markup: readPercent('--markup', markup) }),
    ...(models.length === 0 ? {} : { models: Object.fromEntries(models) }),
    ...(fee === null ? {} : { own_credential_fee: readPercent('--own-credential-fee', fee) }),
  };
}

/** Rates in a few words; `-` for those of the installation. */
export function ratesText({ markup, models, own_credential_fee: fee }: RateRow): string {
  const parts = [
    ...(markup === null ? [] : [`+${markup} %`]),
    ...Object.entries(models).map(([model, percent]) => `${model} +${percent} %`),
    ...(fee === null ? [] : [`own credentials ${fee} %`]),
  ];
  return parts.length === 0 ? '-' : parts.join(', ');
}

function readModel(text: string): [string, number | null] {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new UsageError(`--model-markup ${text} has no percentage; use acme/large=20`);
  return [text.slice(0, at), readPercent('--model-markup', text.slice(at + 1))];
}

function readPercent(flag: string, text: string): number | null {
  if (text === NONE) return null;
  const percent = /^\d{1,5}(\.\d{1,4})?$/.test(text) ? Number(text) : Number.NaN;
  if (!isPercent(percent))
    throw new UsageError(
      `${flag} ${text} is not a percentage; use 0 to ${PERCENT_MAX} with at most 4 decimals, or none`,
    );
  return percent;
}
