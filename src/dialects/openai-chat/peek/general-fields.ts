/** The governed fields that a request for any operation may have: those that choose another model, another price, or who is asked. */
import { type GovernedField, permitted, refused } from '../../kit/peek/governed-field.ts';
import type { LookedName } from '../../kit/peek/looked-field.ts';
import { governedRoutes } from '../../kit/peek/routing/governed-routes.ts';

const SECOND_MODEL = 'it lets another model answer, at a different price than the requested model';
const OTHER_PRICE = 'it changes the price of the call';
const OTHER_UPSTREAM = 'only the operator of this gateway chooses the provider and the credential of a call';
const ONE_MODEL = 'Send one "model" and leave this field out.';
const LEAVE_OUT = 'Leave this field out.';

export const generalFields: readonly (GovernedField & LookedName)[] = [
  ...governedRoutes,
  refused('fallbacks', SECOND_MODEL, ONE_MODEL),
  // LiteLLM: https://docs.litellm.ai/docs/proxy/reliability
  refused('model_list', SECOND_MODEL, ONE_MODEL),
  refused('context_window_fallbacks', SECOND_MODEL, ONE_MODEL),
  refused('context_window_fallback_dict', SECOND_MODEL, ONE_MODEL),
  refused('content_policy_fallbacks', SECOND_MODEL, ONE_MODEL),
  // Vercel's gateway: https://vercel.com/docs/ai-gateway/models-and-providers/provider-options
  refused('providerOptions', 'it lets another model or provider answer, at a different price', LEAVE_OUT),
  refused('preset', 'it selects settings stored at the provider, including a model', ONE_MODEL),
  refused('inference_geo', OTHER_PRICE, LEAVE_OUT),
  permitted('service_tier', ['auto', 'default'], 'the other tiers have different prices'),
  refused('api_base', OTHER_UPSTREAM, LEAVE_OUT),
  refused('base_url', OTHER_UPSTREAM, LEAVE_OUT),
  refused('api_key', OTHER_UPSTREAM, LEAVE_OUT),
  refused('extra_headers', OTHER_UPSTREAM, LEAVE_OUT),
  refused('user_config', OTHER_UPSTREAM, LEAVE_OUT),
  refused('custom_llm_provider', OTHER_UPSTREAM, LEAVE_OUT),
];
