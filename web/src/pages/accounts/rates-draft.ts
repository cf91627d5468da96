/** What an account is charged above or below the list price, as it is edited: numbers as text. */
import type { Answer } from '../../api/client.ts';

type Rates = Answer<'listAccounts'>['data'][number]['rates'];

export interface RatesDraft {
  readonly markup: string;
  readonly ownCredentialFee: string;
  /** `acme/large=20` */
  readonly models: readonly string[];
}

/** For a request: only what differs; null returns to the installation's. */
export interface RatesBody {
  readonly markup?: number | null;
  readonly models?: Readonly<Record<string, number | null>>;
  readonly own_credential_fee?: number | null;
}

export function draftOfRates({ markup, models, own_credential_fee: fee }: Rates): RatesDraft {
  return {
    markup: markup === null ? '' : String(markup),
    ownCredentialFee: fee === null ? '' : String(fee),
    models: Object.entries(models).map(([model, percent]) => `${model}=${percent}`),
  };
}

export function ratesBody(draft: RatesDraft, before: Rates): RatesBody {
  const markup = readPercent(draft.markup);
  const fee = readPercent(draft.ownCredentialFee);
  const models = changedModels(draft.models, before.models);
  return {
    ...(markup === before.markup ? {} : { markup }),
    ...(Object.keys(models).length === 0 ? {} : { models }),
    ...(fee === before.own_credential_fee ? {} : { own_credential_fee: fee }),
  };
}

/** Null if it is not a model and a percentage. */
export function readModelMarkup(text: string): readonly [model: string, percent: number] | null {
  const at = text.lastIndexOf('=');
  const model = text.slice(0, Math.max(at, 0)).trim();
  const percent = readPercent(text.slice(at + 1));
  return model === '' || typeof percent !== 'number' ? null : [model, percent];
}

/** Rates in a few words: `+10 %`, `acme/large +20 %`, `2 more models`, `own credentials 5 %`. */
export function describeAccountRates({ markup, ownCredentialFee, models }: RatesDraft): string[] {
  const more = models.length - NAMED_MAX;
  return [
    ...(markup === '' ? [] : [`+${markup} %`]),
    ...models.slice(0, NAMED_MAX).map((text) => `${text.replace(/=([^=]*)$/, ' +$1')} %`),
    ...(more > 0 ? [`${more} more ${more === 1 ? 'model' : 'models'}`] : []),
    ...(ownCredentialFee === '' ? [] : [`own credentials ${ownCredentialFee} %`]),
  ];
}

/** An account may have hundreds. */
const NAMED_MAX = 3;

/**
 * What is no number stays as it was typed, for the server to refuse: JSON would make null of NaN, and null removes a markup. A percent sign
 * may follow.
 */
function readPercent(text: string): number | null {
  const plain = text.trim().replace(',', '.').replace('%', '').trim();
  if (plain === '') return null;
  const percent = Number(plain);
  return Number.isFinite(percent) ? percent : (text as unknown as number);
}

function changedModels(
  draft: readonly string[],
  before: Readonly<Record<string, number>>,
): Record<string, number | null> {
  const after = new Map(draft.flatMap((text) => [readModelMarkup(text)].filter((pair) => pair !== null)));
  const changed: Record<string, number | null> = {};
  for (const [model, percent] of after) if (before[model] !== percent) changed[model] = percent;
  for (const model of Object.keys(before)) if (!after.has(model)) changed[model] = null;
  return changed;
}
