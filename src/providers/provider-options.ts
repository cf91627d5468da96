/**
 * What an entry of a provider says besides its address and its credential. Each kind declares which of these it takes; any other is
 * refused, so that none is ignored in silence.
 */
import type { Secret } from '../core/secret.ts';

export const PROVIDER_OPTIONS = ['region', 'project', 'location', 'apiVersion', 'accountId', 'credentialFrom'] as const;
export type OptionName = (typeof PROVIDER_OPTIONS)[number];

/** Where keys are fetched from if the entry has no credential of its own. */
export const CREDENTIAL_SOURCES = ['container', 'instance'] as const;
export type CredentialSource = (typeof CREDENTIAL_SOURCES)[number];

/** Of one entry; choosing among them is a search. */
export const CREDENTIALS_MAX = 20;

/** As entered; null or absent where nothing was. */
export interface ProviderOptions {
  /** Of AWS. */
  readonly region?: string | null;
  /** Of Google Cloud. */
  readonly project?: string | null;
  readonly location?: string | null;
  /** Of Azure. */
  readonly apiVersion?: string | null;
  /** Of Cloudflare. */
  readonly accountId?: string | null;
  readonly credentialFrom?: CredentialSource | null;
}

export interface OptionFacts {
  readonly isRequired: boolean;
  /** Whether some credentials supply it: then a form cannot require it. */
  readonly mayBeInCredential?: true;
  /** A usual value, for forms and messages. */
  readonly example: string;
  readonly pattern: RegExp;
  /** Variables that supply it to the entry of the kind's own name, the first that is set. */
  readonly environment: readonly string[];
}

export type DeclaredOptions = { readonly [Name in OptionName]?: OptionFacts };

/** All of them; null for what is absent or empty. */
export interface CheckedOptions extends Readonly<Record<Exclude<OptionName, 'credentialFrom'>, string | null>> {
  readonly credentialFrom: CredentialSource | null;
}

export function optionsOf(entry: ProviderOptions): CheckedOptions {
  const { region, project, location, apiVersion, accountId, credentialFrom } = entry;
  return {
    region: region || null,
    project: project || null,
    location: location || null,
    apiVersion: apiVersion || null,
    accountId: accountId || null,
    credentialFrom: credentialFrom || null,
  };
}

/** What is wrong with the options of an entry, as the rest of a sentence that begins with its name; null if nothing is. */
export function mistakeInOptions(declared: DeclaredOptions, options: CheckedOptions): string | null {
  for (const name of PROVIDER_OPTIONS) {
    const facts = declared[name];
    const value = options[name];
    if (value === null) {
      if (facts?.isRequired === true) return `needs the option ${name}, such as ${facts.example}`;
    } else if (facts === undefined) {
      return `does not take the option ${name}${knownOptions(declared)}`;
    } else if (!facts.pattern.test(value)) {
      return `has an invalid value in the option ${name}; write it as ${facts.example}`;
    }
  }
  return null;
}

function knownOptions(declared: DeclaredOptions): string {
  const names = Object.keys(declared);
  return names.length === 0 ? '' : `; it takes ${names.join(', ')}`;
}

/** `https://{region}.example` with the option filled in; every option that is named must be set. */
export function withOptions(text: string, options: CheckedOptions): string {
  return text.replace(/\{(\w+)\}/g, (_whole, name: keyof CheckedOptions) => options[name] ?? '');
}

/** Supplies options that an entry may leave to its credential. Throws a `TypeError` for a credential that cannot be read. */
export type CompleteOptions = (options: CheckedOptions, credential: Secret | null) => CheckedOptions;
