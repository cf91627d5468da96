/** The governed fields by which a caller states where its call may be served. */
import type { GovernedField } from '../governed-field.ts';
import type { LookedName } from '../looked-field.ts';
import { objectionToModels } from './fallback-models.ts';
import { objectionToProvider } from './provider-wishes.ts';

export const governedModels = {
  name: 'models',
  passes: [],
  looked: {
    at: objectionToModels,
    passes:
      'a list of at most 16 names of models: they are tried in this order; without `model`, the first is the one asked for',
  },
  reason: 'it is not a list of models to try',
  remedy: 'Send a list of names of models, or leave this field out.',
} as const satisfies GovernedField & LookedName;

export const governedRoutes: readonly (GovernedField & LookedName)[] = [
  governedModels,
  {
    name: 'route',
    passes: ['fallback', 'sort'],
    reason: 'another value has no meaning',
    remedy: 'Send "fallback" or "sort", or leave this field out.',
  },
  {
    name: 'provider',
    passes: [],
    looked: {
      at: objectionToProvider,
      passes:
        '`order`, `only`, `ignore`, `allow_fallbacks`, `sort`, `max_price`, `require_parameters`, `data_collection`, `zdr`, `quantizations`, `preferred_…`; the default of the rest',
    },
    reason: 'what cannot be judged here would be violated silently',
    remedy: 'Leave this field out.',
  },
];
