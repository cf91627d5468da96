/** Turns a kind of provider into a provider: one with an origin, a credential and a name of its own. */
import { assert } from '../core/assert.ts';
import type { Secret } from '../core/secret.ts';
import { type BasePath, readBasePath } from './base-path.ts';
import { type CredentialTest, credentialTest } from './credential-test.ts';
import { parseOrigin } from './origin.ts';
import type { DialectName, Provider, ProviderDeclaration, Quirks, Signature } from './provider.ts';

export interface ProviderSettings {
  /** Unique among the configured ones. */
  readonly name: string;
  /** Null takes the vendor's own. May have a base path. */
  readonly origin: string | null;
  readonly credential: Secret | null;
  /** Null takes those of `chatPaths` where given, else all the kind speaks; the first is preferred. */
  readonly dialects?: readonly DialectName[] | null;
  /** Paths that differ from the kind's. */
  readonly chatPaths?: { readonly [dialect in DialectName]?: string | undefined } | null;
  /** What a model of it costs that has no price; null follows the kind. */
  readonly price?: 'free' | null;
}

/** What an operator got wrong about a provider; the message names the provider and never shows a credential. */
export class ProviderConfigurationError extends Error {
  override readonly name = 'ProviderConfigurationError';
}

/** Throws `ProviderConfigurationError` for settings that could not serve a call. */
export function configureProvider(declaration: ProviderDeclaration, settings: ProviderSettings): Provider {
  return new ConfiguredProvider(declaration, settings);
}

/** Where the vendors' own client libraries look for a dialect below a base address. */
const USUAL_PATHS: Readonly<Record<DialectName, string>> = {
  'openai-chat': '/v1/chat/completions',
  'anthropic-messages': '/v1/messages',
};

/** What the servers that copy `openai-chat` have in common, so what one of unknown make is sent. */
const USUAL_HABITS: Omit<Quirks, 'outputCapFields'> = {
  reasoningField: 'reasoning_effort',
  reasoningBack: 'none',
  openRouterFields: ['metadata'],
  cacheControl: false,
  systemRole: 'system',
  sampling: ['temperature'],
};

type Headers = Readonly<Record<string, string>>;

interface Route {
  readonly path: string;
  readonly credential: Headers;
}

/** The signed headers live in private fields, which neither `inspect` nor `JSON.stringify` shows. */
class ConfiguredProvider implements Provider {
  readonly name: string;
  readonly kind: string;
  readonly displayName: string;
  readonly origin: string;
  readonly dialects: readonly DialectName[];
  readonly freeByDefault: boolean;
  readonly hasCredential: boolean;
  readonly habits: Quirks;
  readonly #routes: Partial<Record<DialectName, Route>> = {};
  readonly #models: Route | null;
  readonly #headers: Headers;
  readonly #leaksCredential: CredentialTest;

  constructor(declaration: ProviderDeclaration, settings: ProviderSettings) {
    const { origin, basePath, isPrivate } = findOrigin(declaration, settings);
    const base = readBasePath(basePath);
    const ownPaths = definedPaths(settings.chatPaths);
    const paths = { ...declaration.chatPaths, ...ownPaths };
    this.name = settings.name;
    this.kind = declaration.name;
    this.displayName = settings.name === declaration.name ? declaration.displayName : settings.name;
    this.origin = origin;
    this.dialects = Object.freeze([
      ...(settings.dialects ??
        dialectsOf(ownPaths) ??
        dialectSaid(base, declaration) ??
        dialectsOf(declaration.chatPaths) ??
        []),
    ]);
    this.freeByDefault =
      settings.price === 'free' ||
      declaration.freeByDefault === 'always' ||
      (declaration.freeByDefault === 'private-address' && isPrivate);
    this.habits = Object.freeze({
      outputCapFields: declaration.outputCap.fields,
      ...USUAL_HABITS,
      ...declaration.habits,
    });
    this.#headers = declaration.headers;
    for (const dialect of this.dialects) {
      const path = paths[dialect] ?? USUAL_PATHS[dialect];
      if (!/^\/[\x21-\x7e]*$/.test(path))
        throw mistake(settings, `has a path that is no path: ${JSON.stringify(path)}`);
      const credential = credentialHeaders(declaration.signatures[dialect] ?? 'bearer', settings);
      this.#routes[dialect] = { path: base.at(path), credential };
    }
    this.hasCredential = Object.values(this.#routes).some(({ credential }) => Object.keys(credential).length > 0);
    this.#leaksCredential = credentialTest(
      Object.values(this.#routes).flatMap(({ credential }) => Object.values(credential)),
    );
    const preferred = this.dialects[0] === undefined ? undefined : this.#routes[this.dialects[0]];
    if (preferred === undefined) throw mistake(settings, 'speaks no dialect');
    this.#models =
      declaration.modelsPath === null
        ? null
        : { path: base.at(declaration.modelsPath), credential: preferred.credential };
  }

  sign(dialect: DialectName, headers: Record<string, string>): { path: string; headers: Record<string, string> } {
    const route = this.#routes[dialect];
    assert(route !== undefined, `provider ${this.name} does not speak ${dialect}`);
    return { path: route.path, headers: { ...this.#headers, ...headers, ...route.credential } };
  }

  get leakLengthMin(): number {
    return this.#leaksCredential.lengthMin;
  }

  leaksCredential(said: string | Buffer, bytesMax?: number): boolean {
    return this.#leaksCredential(said, bytesMax);
  }

  listModels(): { path: string; headers: Record<string, string> } | null {
    if (this.#models === null) return null;
    return { path: this.#models.path, headers: { ...this.#headers, ...this.#models.credential } };
  }
}

function findOrigin(declaration: ProviderDeclaration, settings: ProviderSettings): ReturnType<typeof parseOrigin> {
  const text = settings.origin ?? declaration.origin;
  if (text === null) throw mistake(settings, 'needs an origin');
  // The vendor itself serves nobody without one; what stands at another address may.
  const isVendor = settings.origin === null && declaration.environmentGives === 'credential';
  if (isVendor && settings.credential === null) throw mistake(settings, 'needs a credential');
  try {
    return parseOrigin(text);
  } catch (error) {
    throw mistake(settings, (error as TypeError).message);
  }
}

function credentialHeaders(signature: Signature, settings: ProviderSettings): Headers {
  if (signature === 'none' || settings.credential === null) return {};
  const value = settings.credential.reveal();
  // What cannot stand in a header would only fail later, in an error of the client that might show it.
  if (!/^[\x21-\x7e]+$/.test(value))
    throw mistake(settings, 'has a credential with blanks, line breaks or other characters no header can carry');
  return signature === 'bearer' ? { authorization: `Bearer ${value}` } : { 'x-api-key': value };
}

function dialectsOf(paths: Partial<Record<DialectName, string>>): DialectName[] | null {
  const dialects = Object.keys(paths) as DialectName[];
  return dialects.length === 0 ? null : dialects;
}

/** What the address itself says, where the kind by itself would speak otherwise. */
function dialectSaid({ dialect }: BasePath, { chatPaths, signatures }: ProviderDeclaration): DialectName[] | null {
  const isNew = dialect !== null && chatPaths[dialect] === undefined && signatures[dialect] !== undefined;
  return isNew ? [dialect] : null;
}

function definedPaths(paths: ProviderSettings['chatPaths']): Partial<Record<DialectName, string>> {
  const defined: Partial<Record<DialectName, string>> = {};
  for (const [dialect, path] of Object.entries(paths ?? {}))
    if (path !== undefined) defined[dialect as DialectName] = path;
  return defined;
}

function mistake(settings: ProviderSettings, what: string): ProviderConfigurationError {
  return new ProviderConfigurationError(`The provider ${settings.name} ${what}.`);
}
