/** One provider of the dashboard: from its row to a callable provider, and from an operator's input to a row. */
import { GatewayError } from '../core/errors.ts';
import type { Sealer } from '../core/sealing/sealer.ts';
import { Secret } from '../core/secret.ts';
import { configureProvider, ProviderConfigurationError } from '../providers/configure.ts';
import { credentialHint } from '../providers/credential-hint.ts';
import { findProviderKind, providerKinds } from '../providers/index.ts';
import type { Outside } from '../providers/outside.ts';
import type { Provider, ProviderDeclaration } from '../providers/provider.ts';
import { type FurtherCredential, openFurther, sealFurther } from './further-credentials.ts';
import { configuredModels } from './model-settings.ts';
import type { StoredProvider } from './ports.ts';
import type { ProviderInput } from './provider-input.ts';

/** A row, and the provider made from it. */
export interface StoredEntry {
  readonly stored: StoredProvider;
  readonly credential: Secret | null;
  readonly further: readonly FurtherCredential[];
  /** Null if it cannot be called; `problem` says why. */
  readonly provider: Provider | null;
  readonly problem: string | null;
}

export interface StoredEntryParts {
  readonly sealer: Sealer;
  readonly outside: Outside;
  readonly now: number;
}

const UNREADABLE =
  'Its row in the database cannot be read by this version: correct the row, or delete the provider and add it again.';

/** Enabled by an option of the configuration. */
const BUILT_IN = 'demo';

function credentialPlace(name: string): string {
  return `provider:${name}`;
}

/** Opens a row of the store; what is wrong with it is its `problem`. */
export function openStored(stored: StoredProvider, sealer: Sealer, outside: Outside): StoredEntry {
  if (stored.isUnreadable === true)
    return { stored, credential: null, further: [], provider: null, problem: UNREADABLE };
  let credential: Secret | null = null;
  let further: readonly FurtherCredential[] = [];
  try {
    if (stored.credential !== null)
      credential = new Secret(sealer.open(stored.credential, credentialPlace(stored.name)).toString('utf8'));
    further = openFurther(stored.name, stored.moreCredentials, sealer);
  } catch {
    const problem =
      'Its credential cannot be decrypted with the sealing keys of this installation: restore the sealing.key it was encrypted with, or enter the credential again.';
    return { stored, credential: null, further: [], provider: null, problem };
  }
  const kind = findProviderKind(stored.kind);
  if (kind === null)
    return {
      stored,
      credential,
      further,
      provider: null,
      problem: `This version does not know the provider type ${stored.kind}.`,
    };
  try {
    const provider = configure(kind, stored, credential, outside, further);
    // Throws for prices that cannot be read.
    configuredModels(stored.name, stored.models);
    return { stored, credential, further, provider, problem: null };
  } catch (error) {
    // Anything else is thrown by a row of another form, which must not keep the other providers from being served.
    const problem = error instanceof ProviderConfigurationError ? error.message : UNREADABLE;
    return { stored, credential, further, provider: null, problem };
  }
}

/** Throws `GatewayError` `invalid_value` for a name or a kind that the dashboard cannot have. */
export function checkNewProvider(name: string, kind: string): void {
  if (name === BUILT_IN)
    throw new GatewayError('invalid_value', { message: 'demo is reserved for the built-in provider.', param: 'name' });
  findAddableKind(kind);
}

/** The kinds that can be added, in the order of the table. */
export function addableKinds(): readonly ProviderDeclaration[] {
  return Object.values<ProviderDeclaration>(providerKinds).filter(({ name }) => name !== BUILT_IN);
}

/** Throws `GatewayError` `invalid_value`. */
export function findAddableKind(kind: string): ProviderDeclaration {
  const found = addableKinds().find(({ name }) => name === kind);
  if (found !== undefined) return found;
  const known = addableKinds().map(({ name }) => name);
  throw new GatewayError('invalid_value', {
    message: `kind: unknown provider type; the known types are ${known.join(', ')}.`,
    param: 'kind',
  });
}

/** Throws `GatewayError` `invalid_value` for a provider that cannot serve calls. */
export function readyStored(
  name: string,
  kind: string,
  input: ProviderInput,
  { sealer, outside, now }: StoredEntryParts,
): StoredEntry {
  const { origin, options, credential, dialects, ownCredentialsOnly, enabled, models } = input;
  const stored: StoredProvider = {
    name,
    kind,
    origin,
    options,
    dialects,
    ...(ownCredentialsOnly === undefined ? {} : { ownCredentialsOnly }),
    models,
    enabled,
    ...sealed(name, credential, sealer),
    moreCredentials: null,
    createdAt: now,
    updatedAt: now,
    seq: 0,
  };
  return ready(findAddableKind(kind), stored, credential, [], outside);
}

/** Throws `GatewayError` `invalid_value`. Absent fields stay as they are, and so do absent options. */
export function changedProvider(
  entry: StoredEntry,
  changes: Partial<ProviderInput> & { readonly further?: readonly FurtherCredential[] },
  { sealer, outside, now }: StoredEntryParts,
): StoredEntry {
  const { credential: given, further = entry.further, ...rest } = changes;
  const { stored } = entry;
  if (stored.isUnreadable === true) throw new GatewayError('row_unreadable', { message: UNREADABLE });
  const changed: StoredProvider = {
    ...stored,
    ...rest,
    options: { ...stored.options, ...rest.options },
    ...(given === undefined ? {} : sealed(stored.name, given, sealer)),
    ...(given !== undefined && isLost(entry) ? { moreCredentials: null } : {}),
    ...(changes.further === undefined ? {} : { moreCredentials: sealFurther(stored.name, further, sealer) }),
    updatedAt: now,
  };
  // Disabling a provider does not require fixing it first.
  if (changes.enabled === false && Object.keys(changes).length === 1) return { ...entry, stored: changed };
  if (further.length > 0 && changed.origin !== stored.origin)
    throw new GatewayError('invalid_value', {
      message: 'origin: remove the further credentials first; a stored credential is not sent to a new address.',
      param: 'origin',
    });
  if (given === undefined && stored.credential !== null) {
    if (changed.origin !== stored.origin)
      throw new GatewayError('invalid_value', {
        message:
          'credential: enter it again when you change the origin; a stored credential is not sent to a new address.',
        param: 'credential',
      });
    if (entry.credential === null)
      throw new GatewayError('invalid_value', { message: `credential: ${entry.problem}`, param: 'credential' });
  }
  const credential = given === undefined ? entry.credential : given;
  return ready(findAddableKind(stored.kind), changed, credential, further, outside);
}

/** Whether further credentials are stored that cannot be opened: they are dropped when the first one is entered again. */
function isLost({ stored, further }: StoredEntry): boolean {
  return stored.moreCredentials !== null && further.length === 0;
}

function ready(
  kind: ProviderDeclaration,
  stored: StoredProvider,
  credential: Secret | null,
  further: readonly FurtherCredential[],
  outside: Outside,
): StoredEntry {
  try {
    const provider = configure(kind, stored, credential, outside, further);
    return { stored, credential, further, provider, problem: null };
  } catch (error) {
    if (!(error instanceof ProviderConfigurationError)) throw error;
    throw new GatewayError('invalid_value', { message: error.message, param: paramOf(error) });
  }
}

/** Also for testing the connection of a provider that is not stored. Throws `ProviderConfigurationError`. */
export function configure(
  kind: ProviderDeclaration,
  {
    name,
    origin,
    options,
    dialects,
    ownCredentialsOnly = false,
  }: Pick<StoredProvider, 'name' | 'origin' | 'options' | 'dialects' | 'ownCredentialsOnly'>,
  credential: Secret | null,
  outside: Outside,
  further: readonly FurtherCredential[] = [],
): Provider {
  const credentials = further.map(({ secret }) => secret);
  return configureProvider(
    kind,
    { name, origin, credential, credentials, dialects, ownCredentialsOnly, ...options },
    outside,
  );
}

function sealed(
  name: string,
  credential: Secret | null,
  sealer: Sealer,
): Pick<StoredProvider, 'credential' | 'credentialHint'> {
  if (credential === null) return { credential: null, credentialHint: null };
  const text = credential.reveal();
  return {
    credential: sealer.seal(Buffer.from(text, 'utf8'), credentialPlace(name)),
    credentialHint: credentialHint(text),
  };
}

/** The field at fault, from the message: an option, the origin, the credential or the dialects. */
function paramOf({ message }: ProviderConfigurationError): string {
  const [, option] = /\bthe option (\w+)/.exec(message) ?? [];
  if (option !== undefined) return option.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
  if (/needs an origin|the origin must/.test(message)) return 'origin';
  if (/ownCredentialsOnly/.test(message)) return 'own_credentials_only';
  return /a credential/.test(message) ? 'credential' : 'dialects';
}
