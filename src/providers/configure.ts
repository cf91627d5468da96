/** Turns a kind of provider into a provider, with an origin, a credential and a name. */
import { assert } from '../core/assert.ts';
import type { Secret } from '../core/secret.ts';
import { type ProviderDialectName, providerDialects, type QuirksOf } from '../dialects/index.ts';
import { type BasePath, readBasePath } from './base-path.ts';
import { openRoutes, type RouteTable } from './open-routes.ts';
import { parseOrigin } from './origin.ts';
import type { Provider, ProviderDeclaration } from './provider.ts';
import type { Route, RouteDeclaration, RouteRequest, Signed, SignedRead, UnsignedRequest } from './route.ts';
import { bearer, type Signature, type Signer, unsigned } from './signature.ts';

export interface ProviderSettings {
  /** Unique among the configured ones. */
  readonly name: string;
  /** Null: the vendor's. May have a base path. */
  readonly origin: string | null;
  readonly credential: Secret | null;
  /** Null: those of `chatPaths` if set, otherwise all that the kind speaks. The first is preferred. */
  readonly dialects?: readonly ProviderDialectName[] | null;
  /** Paths that differ from the kind's. */
  readonly chatPaths?: { readonly [dialect in ProviderDialectName]?: string | undefined } | null;
  /** The price of its models that have none; null: as the kind says. */
  readonly price?: 'free' | null;
}

/** A mistake in a provider's configuration; the message names the provider and never contains a credential. */
export class ProviderConfigurationError extends Error {
  override readonly name = 'ProviderConfigurationError';
}

/** Throws `ProviderConfigurationError` for settings that cannot serve calls. */
export function configureProvider(declaration: ProviderDeclaration, settings: ProviderSettings): Provider {
  return new ConfiguredProvider(declaration, settings);
}

/** Signers are in private fields, which neither `inspect` nor `JSON.stringify` shows. */
class ConfiguredProvider implements Provider {
  readonly name: string;
  readonly kind: string;
  readonly displayName: string;
  readonly origin: string;
  readonly dialects: readonly ProviderDialectName[];
  readonly freeByDefault: boolean;
  readonly hasCredential: boolean;
  readonly sampling: Provider['sampling'];
  readonly #quirks = new Map<ProviderDialectName, object>();
  readonly #routes = new Map<ProviderDialectName, RouteTable>();
  readonly #signers = new Map<ProviderDialectName, Signer>();
  readonly #models: UnsignedRequest | null;

  constructor(declaration: ProviderDeclaration, settings: ProviderSettings) {
    const { origin, basePath, isPrivate } = findOrigin(declaration, settings);
    const base = readBasePath(basePath);
    const { headers } = declaration;
    const ownPaths = definedPaths(settings.chatPaths);
    this.name = settings.name;
    this.kind = declaration.name;
    this.displayName = settings.name === declaration.name ? declaration.displayName : settings.name;
    this.origin = origin;
    this.dialects = Object.freeze([
      ...(settings.dialects ??
        dialectsOf(ownPaths) ??
        dialectOfAddress(base, declaration) ??
        dialectsOf(declaration.routes) ??
        []),
    ]);
    this.freeByDefault =
      settings.price === 'free' ||
      declaration.freeByDefault === 'always' ||
      (declaration.freeByDefault === 'private-address' && isPrivate);
    this.sampling = declaration.sampling;
    for (const dialect of this.dialects) {
      const declared = ownPaths[dialect] ?? declaration.routes[dialect] ?? providerDialects[dialect].usualPaths?.chat;
      if (declared === undefined) throw mistake(settings, `speaks no ${dialect}`);
      const route = wholeRoute(declared, base, settings);
      const quirks = { ...providerDialects[dialect].usualQuirks, ...declaration.quirks[dialect] };
      this.#quirks.set(dialect, Object.freeze(quirks));
      this.#routes.set(dialect, openRoutes({ dialect, declared: route, prefix: base.prefix, headers }));
      this.#signers.set(dialect, openSigner(declaration.signatures[dialect] ?? bearer, settings));
    }
    this.hasCredential = [...this.#signers.values()].some((signer) => signer !== unsigned);
    const [preferred] = this.dialects;
    if (preferred === undefined) throw mistake(settings, 'speaks no dialect');
    this.#models =
      declaration.modelsPath === null
        ? null
        : {
            method: 'GET',
            route: { dialect: preferred, path: base.at(declaration.modelsPath), query: '', headers },
            headers: {},
            body: null,
          };
  }

  quirksOf<Name extends ProviderDialectName>(dialect: Name): QuirksOf<Name> {
    const quirks = this.#quirks.get(dialect);
    assert(quirks !== undefined, `provider ${this.name} does not speak ${dialect}`);
    // Merged from the usual quirks of that dialect and the kind's own.
    return quirks as QuirksOf<Name>;
  }

  route(dialect: ProviderDialectName, request: RouteRequest): Route | null {
    const table = this.#routes.get(dialect);
    assert(table !== undefined, `provider ${this.name} does not speak ${dialect}`);
    return table(request);
  }

  sign(request: UnsignedRequest): Signed | Promise<Signed> {
    const signer = this.#signers.get(request.route.dialect);
    assert(signer !== undefined, `provider ${this.name} does not speak ${request.route.dialect}`);
    return signer.sign(request);
  }

  listModels(): SignedRead | Promise<SignedRead> | null {
    if (this.#models === null) return null;
    const { path } = this.#models.route;
    const signed = this.sign(this.#models);
    return signed instanceof Promise
      ? signed.then((later) => ({ ...later, target: path }))
      : { ...signed, target: path };
  }
}

function findOrigin(declaration: ProviderDeclaration, settings: ProviderSettings): ReturnType<typeof parseOrigin> {
  const text = settings.origin ?? declaration.origin;
  if (text === null) throw mistake(settings, 'needs an origin');
  // The vendor itself serves nothing without one; a server at another address may.
  const isVendor = settings.origin === null && declaration.environmentGives === 'credential';
  if (isVendor && settings.credential === null) throw mistake(settings, 'needs a credential');
  try {
    return parseOrigin(text);
  } catch (error) {
    throw mistake(settings, (error as TypeError).message);
  }
}

function openSigner(signature: Signature, settings: ProviderSettings): Signer {
  if (settings.credential === null) return unsigned;
  try {
    return signature.open(settings.credential);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw mistake(settings, error.message);
  }
}

/** A path below the base path; a function that returns a route for each request is kept as it is. */
function wholeRoute(declared: RouteDeclaration, base: BasePath, settings: ProviderSettings): RouteDeclaration {
  if (typeof declared === 'function') return declared;
  if (!/^\/[\x21-\x7e]*$/.test(declared)) throw mistake(settings, `has an invalid path: ${JSON.stringify(declared)}`);
  return base.at(declared);
}

function dialectsOf(routes: Partial<Record<ProviderDialectName, RouteDeclaration>>): ProviderDialectName[] | null {
  const dialects = Object.keys(routes) as ProviderDialectName[];
  return dialects.length === 0 ? null : dialects;
}

/** The dialect that the address implies, if the kind itself does not have it. */
function dialectOfAddress(
  { dialect }: BasePath,
  { routes, signatures }: ProviderDeclaration,
): ProviderDialectName[] | null {
  const isNew = dialect !== null && routes[dialect] === undefined && signatures[dialect] !== undefined;
  return isNew ? [dialect] : null;
}

function definedPaths(paths: ProviderSettings['chatPaths']): Partial<Record<ProviderDialectName, string>> {
  const defined: Partial<Record<ProviderDialectName, string>> = {};
  for (const [dialect, path] of Object.entries(paths ?? {}))
    if (path !== undefined) defined[dialect as ProviderDialectName] = path;
  return defined;
}

function mistake(settings: ProviderSettings, what: string): ProviderConfigurationError {
  return new ProviderConfigurationError(`The provider ${settings.name} ${what}.`);
}
