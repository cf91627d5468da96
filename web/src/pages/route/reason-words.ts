/** Plain words for why a candidate comes later or is left out. */
import type { PlannedRoute } from '../../api/types.ts';

export type Reason = PlannedRoute['left_out'][number]['reason'];

export const REASON_WORDS: Readonly<Record<Reason, string>> = {
  not_allowed: 'The key, its project or its account may not use this model.',
  ignored: 'The request rules this provider out.',
  not_in_only: 'The request allows only other providers.',
  no_fallback: 'The request forbids fallbacks, and this would be one.',
  above_max_price: 'It costs more than the maximum price of the request.',
  lacks_parameter: 'The model is not known to support every parameter of the request.',
  collects_data: 'The provider collects what it is sent.',
  collects_data_unknown: 'It is not known whether the provider collects what it is sent.',
  retains_data: 'The provider keeps what it is sent.',
  retains_data_unknown: 'It is not known whether the provider keeps what it is sent.',
  other_quantization: 'The model is quantized in another way than the request allows.',
  quantization_unknown: 'It is not known how the model is quantized there.',
  unpriced: 'A price that the request may need is not known, so it cannot be billed.',
  other_format: 'It speaks another format than the request, so providers of the same format come first.',
  tool_not_run: 'The provider does not run a tool that the request leaves to it.',
  resting: 'It has failed lately and is resting, so the others come first.',
  credential_resting: 'Its credential was rejected or limited lately and is resting.',
  unaffordable: 'The balance or a budget does not cover what it may cost.',
  cannot_express: 'The request has something that this model, or the format of its provider, cannot express.',
  kept_elsewhere: 'The conversation was served by another provider before, which may have its prompt cached.',
};

export interface Standing {
  /** Of the candidates, from 0. */
  readonly position: number;
  readonly attemptsMax: number;
  readonly candidate: PlannedRoute['candidates'][number];
}

/** Why a candidate has its position: what it does, then what moved it. */
export function standingWords({ position, attemptsMax, candidate }: Standing): readonly string[] {
  const { resting, later_because: moved } = candidate;
  const does =
    position === 0
      ? 'Tried first.'
      : position < attemptsMax
        ? 'Tried if those before it fail.'
        : `Not tried: a request is tried ${attemptsMax} times at most.`;
  const rests =
    resting && !moved.includes('resting') ? ['It has failed lately and is resting, but no other is better.'] : [];
  return [does, ...rests, ...moved.map((reason) => REASON_WORDS[reason])];
}
