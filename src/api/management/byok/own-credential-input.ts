/** Reads an own credential from a request. */
import { patternComplaint } from '../../../accounts/limits.ts';
import type { OwnCredentialEdits } from '../../../byok/own-credential-registry.ts';
import type { OwnUse } from '../../../byok/ports.ts';
import { GatewayError } from '../../../core/errors.ts';
import { Secret } from '../../../core/secret.ts';
import type { byokRoutes } from '../../contract/byok.ts';
import type { RouteInput } from '../../contract/route.ts';
import { optionsOf } from '../providers/provider-input.ts';

type Body = Omit<RouteInput<typeof byokRoutes.updateOwnCredential>['body'], 'name' | 'key'>;

/** Only what is present. Throws `GatewayError` `invalid_value`. */
export function editsOf(body: Body): Omit<OwnCredentialEdits, 'name' | 'secret'> {
  const { disabled, fallback, allowed_models: models, base_url: origin } = body;
  const { region, location, api_version, google_project: project, cloudflare_account: account_id } = body;
  const options = optionsOf({ region, location, api_version, project, account_id });
  const use = useOf(body);
  for (const [index, pattern] of (models ?? []).entries()) {
    const complaint = patternComplaint(pattern);
    if (complaint !== null)
      throw new GatewayError('invalid_value', {
        message: `allowed_models.${index}: ${complaint}.`,
        param: 'allowed_models',
      });
  }
  if (use === 'only' && fallback === true)
    throw new GatewayError('invalid_value', {
      message: "fallback: the operator's credentials are never used with `use: only`; choose `first`.",
      param: 'fallback',
    });
  return {
    ...(disabled === undefined ? {} : { enabled: !disabled }),
    ...(use === null ? {} : { use }),
    ...(fallback === undefined ? {} : { fallback }),
    ...(models === undefined ? {} : { models }),
    ...(origin === undefined ? {} : { origin }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  };
}

/** Trimmed, because pasted ones may end with a line break. */
export function secretOf(key: string): Secret {
  const text = key.trim();
  if (text === '') throw new GatewayError('invalid_value', { message: 'key: it is empty.', param: 'key' });
  return new Secret(text);
}

/** In our words or in OpenRouter's; null if neither is present. */
function useOf({ use, is_required: isRequired }: Body): OwnUse | null {
  if (isRequired === undefined) return use ?? null;
  const meant = isRequired ? 'only' : 'first';
  if (use !== undefined && use !== meant)
    throw new GatewayError('invalid_value', {
      message: `is_required: it contradicts use: ${use}; send only one of them.`,
      param: 'is_required',
    });
  return meant;
}
