/** Handler for the plan of a request with a key: how it would be served, for whoever may see the key. */
import type { KeyRegistry } from '../../../accounts/key-registry.ts';
import type { Key } from '../../../accounts/keys.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { RouteAnswer, RouteInput } from '../../contract/route.ts';
import type { routePlanRoutes } from '../../contract/route-plans.ts';
import type { Handlers } from '../door/handler.ts';
import { findKey } from './find-key.ts';

type Routes = typeof routePlanRoutes;
type Body = RouteInput<Routes['planRoute']>['body'];

/** What decides about the route of a request, in place of its content. */
export interface PlannedRequest extends Pick<Body, 'format' | 'model' | 'models'> {
  readonly provider: NonNullable<Body['provider']> | null;
  /** Null for none. */
  readonly conversation: string | null;
  readonly promptCharacters: number;
  readonly outputCap: number | null;
}

export interface RoutePlanServices {
  readonly keys: Pick<KeyRegistry, 'get' | 'findDigest'>;
  /** Takes the steps of a call with this key up to the hold. */
  plan(key: Key, asked: PlannedRequest): Promise<RouteAnswer<Routes['planRoute']>['data']>;
}

export function routePlanHandlers({ keys, plan }: RoutePlanServices): Handlers<Routes> {
  return {
    planRoute: async ({ account }, { params, body }) => {
      const key = findKey(keys, account.id, params.key);
      if (key.kind !== 'inference')
        throw new GatewayError('invalid_value', { message: 'A management key cannot call models.', param: 'key' });
      const { format, model, models, provider, conversation, prompt_characters, output_cap } = body;
      const asked = {
        format,
        model,
        models,
        provider: provider ?? null,
        conversation: conversation == null || conversation === '' ? null : conversation,
        promptCharacters: prompt_characters,
        outputCap: output_cap ?? null,
      };
      return { data: await plan(key, asked) };
    },
  };
}
