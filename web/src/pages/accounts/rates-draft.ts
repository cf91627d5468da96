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
  return model === '' || percent === null || Number.isNaN(percent) ? null : [model, percent];
}

/** Rates in a few words: `+10 %`. */
export function describeAccountRates({ markup, ownCredentialFee, models }: RatesDraft): string[] {
  return [
    ...(markup === '' ? [] : [`+${markup} %`]),
    ...models.map((text) => `${text} %`),
    ...(ownCredentialFee === '' ? [] : [`own credentials ${ownCredentialFee} %`]),
  ];
}

/** NaN for what is no number, which the server refuses. */
function readPercent(text: string): number | null {
  const plain = text.trim().replace(',', '.');
  return plain === '' ? null : Number(plain);
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
