/** The error if no candidate is what the caller states: it names the statement that leaves none. */
import { GatewayError } from '../core/errors.ts';
import type { Candidate } from './candidate.ts';
import type { Note, Reason } from './reason.ts';

interface Saying {
  /** The caller's field. */
  readonly param: string;
  /** What no provider of the models is or has. */
  readonly said: string;
  /** What the caller can change. */
  readonly remedy: string;
}

const NAME_OTHERS = 'Leave the field out, or name other models. Ask the operator of this gateway to state';

/** By the last check that a candidate came to, which is what kept it from serving: the latest check first. */
const SAYINGS: readonly (readonly [Reason, Saying])[] = [
  [
    'quantization_unknown',
    {
      param: 'provider.quantizations',
      said: 'is stated to be quantized as "provider.quantizations" says',
      remedy: `${NAME_OTHERS} it (the option quantization), or add "unknown" to the list.`,
    },
  ],
  [
    'other_quantization',
    {
      param: 'provider.quantizations',
      said: 'is quantized as "provider.quantizations" says',
      remedy: 'Add others to the list, or leave the field out.',
    },
  ],
  [
    'retains_data_unknown',
    {
      param: 'provider.zdr',
      said: 'is stated to keep nothing of what it is sent',
      remedy: `${NAME_OTHERS} what its providers keep (the option zeroDataRetention), or name providers that you trust in "provider.only".`,
    },
  ],
  [
    'retains_data',
    {
      param: 'provider.zdr',
      said: 'keeps nothing of what it is sent',
      remedy: 'Leave the field out, or name other models.',
    },
  ],
  [
    'collects_data_unknown',
    {
      param: 'provider.data_collection',
      said: 'is stated not to collect what it is sent',
      remedy: `${NAME_OTHERS} what its providers collect (the option dataCollection), or name providers that you trust in "provider.only".`,
    },
  ],
  [
    'collects_data',
    {
      param: 'provider.data_collection',
      said: 'does without collecting what it is sent',
      remedy: 'Leave the field out, or name other models.',
    },
  ],
  [
    'above_max_price',
    {
      param: 'provider.max_price',
      said: 'is as cheap as "provider.max_price" says',
      remedy: 'Raise it, or leave the field out. POST /api/v1/route says what a request may cost.',
    },
  ],
  [
    'unpriced',
    {
      param: 'provider.max_price',
      said: 'has a price that "provider.max_price" could be compared with',
      remedy: 'Leave the field out, or use another model.',
    },
  ],
  [
    'lacks_parameter',
    {
      param: 'provider.require_parameters',
      said: 'is known to support all parameters of this request',
      remedy: 'Leave out the parameters that it does not list in GET /api/v1/models, or the field.',
    },
  ],
  [
    'ignored',
    {
      param: 'provider.ignore',
      said: 'is left by "provider.ignore"',
      remedy: 'Name fewer, or leave the field out.',
    },
  ],
  [
    'not_in_only',
    {
      param: 'provider.only',
      said: 'is one that "provider.only" names',
      remedy: 'Name another one, or leave the field out.',
    },
  ],
];
const USUAL: Saying = { param: 'provider', said: 'may serve this call', remedy: 'Leave the field out.' };

/** `GatewayError` 400 `unsupported_value`. `leaveOut` is the step that has left none, done again for its reasons. */
export function noneMeets(candidates: readonly Candidate[], leaveOut: (note: Note) => unknown): GatewayError {
  const reasons = new Set<Reason>();
  leaveOut((_, reason) => void reasons.add(reason));
  const { param, said, remedy } = SAYINGS.find(([reason]) => reasons.has(reason))?.[1] ?? USUAL;
  const models = [...new Set(candidates.map(({ model }) => model.id))].slice(0, MODELS_SHOWN);
  return new GatewayError('unsupported_value', {
    message: `No provider of ${models.join(', ')} ${said}. ${remedy}`,
    param,
    facts: { reasons: [...reasons] },
  });
}

const MODELS_SHOWN = 3;
