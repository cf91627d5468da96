/** The provider as an own credential calls it: the kind's facts, with the member's address and secret. */
import { GatewayError } from '../core/errors.ts';
import type { Secret } from '../core/secret.ts';
import { configureProvider, ProviderConfigurationError } from '../providers/configure.ts';
import { findProviderKind, providerKinds } from '../providers/index.ts';
import type { Outside } from '../providers/outside.ts';
import type { Provider, ProviderDeclaration } from '../providers/provider.ts';
import type { StoredOwnCredential } from './ports.ts';

export type OwnProviderSettings = Pick<StoredOwnCredential, 'kind' | 'origin' | 'options'>;

/** The demo is the installation's own, and models of servers that send no bill are only known from the operator's configuration. */
function isOwn({ name, freeByDefault }: ProviderDeclaration): boolean {
  return name !== 'demo' && freeByDefault === 'never';
}

/** OpenRouter's names for kinds that are named differently here: https://openrouter.ai/docs/features/provider-routing */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'amazon-bedrock': 'bedrock',
  'google-ai-studio': 'google',
  'google-vertex': 'vertex',
};

/** The kinds for which an account can store a credential, in the order of the table. */
export function ownKinds(): readonly ProviderDeclaration[] {
  return Object.values<ProviderDeclaration>(providerKinds).filter(isOwn);
}

/** By its name here or at OpenRouter. Throws `GatewayError` `invalid_value`. */
export function findOwnKind(name: string): ProviderDeclaration {
  const kind = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : name;
  const found = ownKinds().find((each) => each.name === kind);
  if (found !== undefined) return found;
  const known = ownKinds().map((each) => each.name);
  const why =
    name !== 'demo' && findProviderKind(name) !== null
      ? `, because the models and prices of such a server are only known if the operator adds it; for a server that speaks for one of these providers, store a credential for that one with base_url`
      : '';
  throw new GatewayError('invalid_value', {
    message: `provider: no own credential can be stored for this${why}; the providers are ${known.join(', ')}.`,
    param: 'provider',
  });
}

/** Throws `ProviderConfigurationError`, with a message that never contains the secret. */
export function ownProvider(
  { kind, origin, options }: OwnProviderSettings,
  secret: Secret,
  outside: Outside,
): Provider {
  const declaration = findProviderKind(kind);
  if (declaration === null) throw new ProviderConfigurationError(`This version does not know the provider ${kind}.`);
  return configureProvider(
    declaration,
    { name: kind, origin, credential: secret, ...options, credentialFrom: null, isMembers: true },
    outside,
  );
}

/** The same, with the error that a request gets. Throws `GatewayError` `invalid_value`. */
export function checkedProvider(settings: OwnProviderSettings, secret: Secret, outside: Outside): Provider {
  try {
    return ownProvider(settings, secret, outside);
  } catch (error) {
    if (!(error instanceof ProviderConfigurationError)) throw error;
    const param = paramOf(error.message);
    throw new GatewayError('invalid_value', { message: `${param}: ${error.message}`, param });
  }
}

/** The field at fault, from the message. */
function paramOf(message: string): string {
  const [, option] = /\bthe option (\w+)/.exec(message) ?? [];
  if (option === 'project') return 'google_project';
  if (option === 'accountId') return 'cloudflare_account';
  if (option !== undefined) return option.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
  return /an origin|the origin must/.test(message) ? 'base_url' : 'key';
}
