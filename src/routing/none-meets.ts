/** The error if no candidate is what the caller states: it names the statement that leaves none. */
import { GatewayError } from '../core/errors.ts';
import type { RoutePreferences } from '../core/routing/route-preferences.ts';
import type { Provider } from '../providers/provider.ts';
import type { Candidate } from './candidate.ts';
import { keepStated, type RequestSize } from './keep-stated.ts';
import type { Reason } from './reason.ts';

/** What each reason says of a model's providers, and what the caller can change. */
const SAYINGS: Partial<Record<Reason, readonly [param: string, said: string, remedy: string]>> = {
  not_in_only: ['provider.only', 'is one that "provider.only" names', 'Name another one, or leave the field out.'],
  ignored: ['provider.ignore', 'is left by "provider.ignore"', 'Name fewer, or leave the field out.'],
  above_max_price: [
    'provider.max_price',
    'is as cheap as "provider.max_price" says',
    'Raise it, or leave the field out. GET /api/v1/models lists prices.',
  ],
  unpriced: [
    'provider.max_price',
    'has a price that "provider.max_price" could be compared with',
    'Leave the field out, or use another model.',
  ],
  lacks_parameter: [
    'provider.require_parameters',
    'is known to support all parameters of this request',
    'Leave out the parameters that it does not list in GET /api/v1/models, or the field.',
  ],
};

/** `GatewayError` 400 `unsupported_value`, with the reason of each candidate. */
export function noneMeets(
  candidates: readonly Candidate[],
  preferences: RoutePreferences | null,
  providers: ReadonlyMap<string, Provider>,
  request: RequestSize,
): GatewayError {
  const reasons = new Set<Reason>();
  if (preferences !== null)
    keepStated(candidates, preferences, providers, request, (_, reason) => void reasons.add(reason));
  // The last check that a candidate came to is what kept it from serving.
  const order: readonly Reason[] = ['lacks_parameter', 'above_max_price', 'unpriced', 'ignored', 'not_in_only'];
  const reason = order.find((each) => reasons.has(each)) ?? 'not_in_only';
  const [param, said, remedy] = SAYINGS[reason] ?? ['provider', 'may serve this call', 'Leave the field out.'];
  const models = [...new Set(candidates.map(({ model }) => model.id))].slice(0, MODELS_SHOWN);
  return new GatewayError('unsupported_value', {
    message: `No provider of ${models.join(', ')} ${said}. ${remedy}`,
    param,
    facts: { reasons: [...reasons] },
  });
}

const MODELS_SHOWN = 3;
