/** Reads a provider from a request. */
import { MODALITIES, type Modality } from '../../../catalog/model.ts';
import type { ModelSetting } from '../../../catalog/ports.ts';
import type { ProviderInput } from '../../../catalog/provider-input.ts';
import { configure, findAddableKind } from '../../../catalog/stored-provider.ts';
import { GatewayError } from '../../../core/errors.ts';
import { Secret } from '../../../core/secret.ts';
import { ProviderConfigurationError } from '../../../providers/configure.ts';
import type { Outside } from '../../../providers/outside.ts';
import type { Provider } from '../../../providers/provider.ts';
import type { ProviderOptions } from '../../../providers/provider-options.ts';
import type { optionInputs, providerRoutes } from '../../contract/providers.ts';
import type { RouteInput } from '../../contract/route.ts';

/** The name of a provider that is tested without being saved. */
const TRIED_NAME = '(new)';

type UpdateBody = RouteInput<typeof providerRoutes.updateProvider>['body'];
type TryBody = RouteInput<typeof providerRoutes.tryProvider>['body'];
type Setting = NonNullable<UpdateBody['model_settings']>[number];

/** A provider to test without saving it. Throws `GatewayError` `invalid_value`, with a message that never contains the credential. */
export function tried(body: TryBody, outside: Outside): Provider {
  const { kind, origin = null, credential, dialects = null, own_credentials_only: ownCredentialsOnly = false } = body;
  try {
    const settings = { name: TRIED_NAME, origin, options: optionsOf(body), dialects, ownCredentialsOnly };
    return configure(findAddableKind(kind), settings, secretOf(credential), outside);
  } catch (error) {
    if (!(error instanceof ProviderConfigurationError)) throw error;
    throw new GatewayError('invalid_value', { message: error.message });
  }
}

export function changesOf(body: UpdateBody): Partial<ProviderInput> {
  const options = optionsOf(body);
  return {
    ...(Object.keys(options).length === 0 ? {} : { options }),
    ...(body.origin === undefined ? {} : { origin: body.origin }),
    ...(body.credential === undefined ? {} : { credential: secretOf(body.credential) }),
    ...(body.dialects === undefined ? {} : { dialects: body.dialects }),
    ...(body.own_credentials_only === undefined ? {} : { ownCredentialsOnly: body.own_credentials_only }),
    ...(body.is_enabled === undefined ? {} : { enabled: body.is_enabled }),
    ...(body.model_settings === undefined ? {} : { models: body.model_settings.map(readSetting) }),
  };
}

type OptionBody = { readonly [Name in keyof typeof optionInputs]?: string | null | undefined };

/** Only those that are present; null removes one. */
export function optionsOf(body: OptionBody): ProviderOptions {
  const {
    region,
    project,
    location,
    api_version: apiVersion,
    account_id: accountId,
    credential_from: credentialFrom,
  } = body;
  const given = { region, project, location, apiVersion, accountId, credentialFrom };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Trimmed, because pasted ones may end with a line break. */
export function secretOf(credential: string | null | undefined): Secret | null {
  return credential === undefined || credential === null ? null : new Secret(credential.trim());
}

export function readSetting(setting: Setting): ModelSetting {
  const { upstream, id, name, context_length, output_cap, price, input_modalities, output_modalities } = setting;
  return {
    upstream,
    id: id ?? null,
    name: name ?? null,
    contextWindow: context_length ?? null,
    outputCap: output_cap ?? null,
    price:
      price === undefined || price === null || price === 'free'
        ? (price ?? null)
        : {
            input: price.input,
            output: price.output,
            cacheRead: price.cache_read ?? null,
            cacheWrite: price.cache_write ?? null,
            ...(price.input_image !== undefined && { inputImage: price.input_image }),
            ...(price.units !== undefined && { units: price.units }),
          },
    inputModalities: inOrder(input_modalities),
    outputModalities: inOrder(output_modalities),
  };
}

/** In the usual order, text first. */
function inOrder(names: readonly Modality[] | null | undefined): readonly Modality[] | null {
  return names === null || names === undefined ? null : MODALITIES.filter((name) => names.includes(name));
}
