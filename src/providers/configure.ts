/** Turns a kind of provider into a provider, with an origin, a credential and a name. */
import { assert } from '../core/assert.ts';
import type { Secret } from '../core/secret.ts';
import { type ProviderDialectName, providerDialects, type QuirksOf } from '../dialects/index.ts';
import type { OperationName } from '../dialects/interface/caller-path.ts';
import type { OperationPaths } from '../dialects/interface/usual-paths.ts';
import { type BasePath, readBasePath, withoutVersion } from './base-path.ts';
import { credentialHint, credentialMark } from './credential-hint.ts';
import { openRoutes, type RouteTable } from './open-routes.ts';
import { parseOrigin } from './origin.ts';
import { NOWHERE, type Outside } from './outside.ts';
import type { ModelsPlace, Provider, ProviderDeclaration } from './provider.ts';
import {
  type CheckedOptions,
  mistakeInOptions,
  optionsOf,
  type ProviderOptions,
  withOptions,
} from './provider-options.ts';
import type { Route, RouteDeclaration, RouteRequest, Signed, SignedRead, UnsignedRequest } from './route.ts';
import { contradictionIn, type StatedFacts, serviceFacts } from './service-facts.ts';
import { bearer, type Signature, type SignatureContext, type Signer, unsigned } from './signature.ts';

export interface ProviderSettings extends ProviderOptions, StatedFacts {
  /** Unique among the configured ones. */
  readonly name: string;
  /** Null: the vendor's. May have a base path. */
  readonly origin: string | null;
  readonly credential: Secret | null;
  /** Further ones, which take turns with it. */
  readonly credentials?: readonly Secret[] | null;
  /** Null: those of `chatPaths` if set, otherwise all that the kind speaks. The first is preferred. */
  readonly dialects?: readonly ProviderDialectName[] | null;
  /** Paths that differ from the kind's. */
  readonly chatPaths?: { readonly [dialect in ProviderDialectName]?: string | undefined } | null;
  /** The price of its models that have none; null: as the kind says. */
  readonly price?: 'free' | null;
  /** Set for the credential of a member of an account: where they chose the origin, its address is judged when it is connected to. */
  readonly isMembers?: true;
  /** Whether only own credentials of accounts and projects are used for it: then it has none itself. */
  readonly ownCredentialsOnly?: boolean;
}

/** A mistake in a provider's configuration; the message names the provider and never contains a credential. */
export class ProviderConfigurationError extends Error {
  override readonly name = 'ProviderConfigurationError';
}

/**
 * Throws `ProviderConfigurationError` for settings that cannot serve calls. Without `outside`, they are only checked: a provider whose
 * signature needs the world cannot sign.
 */
export function configureProvider(
  declaration: ProviderDeclaration,
  settings: ProviderSettings,
  outside: Outside = NOWHERE,
): Provider {
  return new ConfiguredProvider(declaration, settings, outside);
}

/** Signers are in private fields, which neither `inspect` nor `JSON.stringify` shows. */
class ConfiguredProvider implements Provider {
  readonly name: string;
  readonly kind: string;
  readonly displayName: string;
  readonly origin: string;
  readonly options: CheckedOptions;
  readonly dialects: readonly ProviderDialectName[];
  readonly freeByDefault: boolean;
  readonly hasCredential: boolean;
  readonly credentialCount: number;
  readonly credentialHints: Provider['credentialHints'];
  readonly credentialMarks: readonly string[];
  readonly sampling: Provider['sampling'];
  readonly serverTools: Provider['serverTools'];
  readonly ignoresToolLimit: boolean;
  readonly keepsAnswers: boolean;
  readonly isMembers: boolean;
  readonly isJudged: boolean;
  readonly isOwnOnly: boolean;
  readonly facts: Provider['facts'];
  readonly #quirks = new Map<ProviderDialectName, object>();
  readonly #routes = new Map<ProviderDialectName, RouteTable>();
  /** One for each credential. */
  readonly #signers = new Map<ProviderDialectName, readonly Signer[]>();
  readonly #offers: ProviderDeclaration['offers'];
  readonly #pricedAs: ProviderDeclaration['pricedAs'];
  readonly #surcharge: ProviderDeclaration['surchargePercent'];
  readonly #exampleModels: NonNullable<ProviderDeclaration['exampleModels']>;
  /** Those with a path besides `chat`, of which the first is shown if there are no conversations. */
  #operations: readonly OperationName[] = [];
  readonly #host: string;
  readonly #models: { readonly origin: string; readonly request: UnsignedRequest } | null;

  constructor(declaration: ProviderDeclaration, settings: ProviderSettings, outside: Outside) {
    const credentials = credentialsOf(settings);
    const options = checkOptions(declaration, settings, credentials);
    const { origin, basePath, isPrivate } = findOrigin(declaration, settings, options, credentials);
    const base = readBasePath(basePath);
    const { headers, formats } = declaration;
    const ownPaths = definedPaths(settings.chatPaths);
    this.name = settings.name;
    this.kind = declaration.name;
    this.displayName = settings.name === declaration.name ? declaration.displayName : settings.name;
    this.origin = origin;
    this.#host = new URL(origin).host;
    this.options = options;
    this.#offers = declaration.offers;
    this.#pricedAs = declaration.pricedAs;
    this.#surcharge = declaration.surchargePercent;
    this.#exampleModels = declaration.exampleModels ?? {};
    const wanted =
      settings.dialects ??
      dialectsOf(ownPaths) ??
      dialectOfAddress(base, declaration) ??
      dialectsOf(declaration.routes) ??
      [];
    // With some options a kind lacks a dialect that it has with others.
    this.dialects = Object.freeze(
      wanted.filter((dialect) => ownPaths[dialect] || this.#isServed(dialect, declaration)),
    );
    this.freeByDefault =
      settings.price === 'free' ||
      declaration.freeByDefault === 'always' ||
      (declaration.freeByDefault === 'private-address' && isPrivate);
    this.sampling = declaration.sampling;
    this.serverTools = declaration.serverTools ?? null;
    this.ignoresToolLimit = declaration.ignoresToolLimit ?? false;
    this.keepsAnswers = declaration.keepsAnswers ?? false;
    this.isMembers = settings.isMembers === true;
    this.isJudged = this.isMembers && settings.origin !== null;
    this.isOwnOnly = settings.ownCredentialsOnly === true;
    this.facts = Object.freeze(serviceFacts(settings));
    // One for all dialects that are signed alike: a token is fetched once.
    const signers = new Map<Signature, readonly Signer[]>();
    for (const dialect of this.dialects) {
      const declared = ownPaths[dialect] ?? declaration.routes[dialect] ?? providerDialects[dialect].usualPaths?.chat;
      if (declared === undefined) throw mistake(settings, `speaks no ${dialect}`);
      const route = wholeRoute(declared, base, settings, options);
      const quirks = { ...providerDialects[dialect].usualQuirks, ...declaration.quirks[dialect] };
      this.#quirks.set(dialect, Object.freeze(quirks));
      const operations =
        dialect === OPERATIONS_DIALECT ? operationsAt(declaration, base, ownPaths[dialect], options) : {};
      if (dialect === OPERATIONS_DIALECT) this.#operations = Object.keys(operations) as OperationName[];
      const parts = { dialect, declared: route, operations, formats, at: base.at, headers, options };
      this.#routes.set(dialect, openRoutes(parts));
      const signature = declaration.signatures[dialect] ?? bearer;
      const opened = signers.get(signature) ?? openSigners(signature, settings, credentials, { options, outside });
      signers.set(signature, opened);
      this.#signers.set(dialect, opened);
    }
    this.hasCredential = [...this.#signers.values()].flat().some((signer) => signer !== unsigned);
    const hints = credentials.map((each) => credentialHint(each.reveal()));
    this.credentialHints = this.hasCredential && hints.length === 0 ? [null] : hints;
    this.credentialCount = this.credentialHints.length;
    this.credentialMarks = credentials.map((each) => credentialMark(each.reveal()));
    const [preferred] = this.dialects;
    if (preferred === undefined) throw mistake(settings, 'speaks no dialect');
    const list = findList(declaration, settings, options);
    this.#models = list && {
      origin: list.origin ?? origin,
      request: {
        method: 'GET',
        route: { dialect: preferred, path: base.at(list.path), query: list.query, headers },
        headers: {},
        body: null,
      },
    };
  }

  #isServed(dialect: ProviderDialectName, { routes, exampleModels, operations }: ProviderDeclaration): boolean {
    const route = routes[dialect];
    if (typeof route !== 'function' || (dialect === OPERATIONS_DIALECT && operations !== undefined)) return true;
    return (
      route({ operation: 'chat', model: exampleModels?.[dialect] ?? 'model', stream: false }, this.options) !== null
    );
  }

  quirksOf<Name extends ProviderDialectName>(dialect: Name): QuirksOf<Name> {
    const quirks = this.#quirks.get(dialect);
    assert(quirks !== undefined, `provider ${this.name} does not speak ${dialect}`);
    // Merged from the usual quirks of that dialect and the kind's own.
    return quirks as QuirksOf<Name>;
  }

  dialectsOf(model: string): readonly ProviderDialectName[] {
    const speaks = (dialect: ProviderDialectName) =>
      this.route(dialect, { operation: 'chat', model, stream: false }) !== null;
    return this.dialects.every(speaks) ? this.dialects : this.dialects.filter(speaks);
  }

  exampleTarget(dialect: ProviderDialectName): string {
    const model = this.#exampleModels[dialect] ?? '<model>';
    const targets = ['chat' as const, ...this.#operations].map(
      (operation) => this.route(dialect, { operation, model, stream: false })?.target,
    );
    const target = targets.find((each) => each !== undefined) ?? '';
    // For people, who read `<model>` more easily than its escapes, or than the name of one model.
    return [encodeURIComponent(model), model].reduce((text, name) => text.replace(name, '<model>'), target);
  }

  offers(name: string, names: readonly string[]): boolean {
    return this.#offers?.(name, names, this.options) ?? true;
  }

  pricedAs(name: string, names: readonly string[]): string | null {
    const priced = this.#pricedAs?.(name, names, this.options) ?? name;
    if (names.includes(priced)) return priced;
    return names.find((known) => this.offers(known, names)) ?? null;
  }

  surchargePercent(model: string): number {
    return this.#surcharge?.(model, this.options, this.origin) ?? 0;
  }

  route(dialect: ProviderDialectName, request: RouteRequest): Route | null {
    const table = this.#routes.get(dialect);
    assert(table !== undefined, `provider ${this.name} does not speak ${dialect}`);
    return table(request);
  }

  sign(request: UnsignedRequest, credential = 0): Signed | Promise<Signed> {
    return this.#signerOf(request.route.dialect, credential).sign(request, this.#host);
  }

  listModels(credential = 0): SignedRead | Promise<SignedRead> | null {
    if (this.#models === null) return null;
    const { origin, request } = this.#models;
    const { dialect, path, query } = request.route;
    const target = query === '' ? path : `${path}?${query}`;
    // Signed as calls in the preferred dialect are.
    const signed = this.#signerOf(dialect, credential).sign(request, new URL(origin).host);
    return signed instanceof Promise
      ? signed.then((later) => ({ ...later, origin, target }))
      : { ...signed, origin, target };
  }

  #signerOf(dialect: ProviderDialectName, credential: number): Signer {
    const signer = this.#signers.get(dialect)?.[credential];
    assert(signer !== undefined, `provider ${this.name} does not speak ${dialect}, or has no credential ${credential}`);
    return signer;
  }
}

/** In the order configured. */
function credentialsOf(settings: ProviderSettings): readonly Secret[] {
  const { credential, credentials } = settings;
  const all = [...(credential === null ? [] : [credential]), ...(credentials ?? [])];
  if (new Set(all.map((each) => each.reveal())).size < all.length) throw mistake(settings, 'has a credential twice');
  return all;
}

function checkOptions(
  declaration: ProviderDeclaration,
  settings: ProviderSettings,
  credentials: readonly Secret[],
): CheckedOptions {
  const [first = null, ...more]: readonly (Secret | null)[] = credentials;
  const entered = optionsOf(settings);
  const { completeOptions } = declaration;
  const options = readable(settings, () => completeOptions?.(entered, first) ?? entered);
  // An address that depends on the credential is the same for all.
  for (const each of more) readable(settings, () => completeOptions?.(entered, each));
  const wrong = mistakeInOptions(declaration.options, options);
  if (wrong !== null) throw mistake(settings, wrong);
  const contradiction = contradictionIn(settings);
  if (contradiction !== null) throw mistake(settings, contradiction);
  if (settings.ownCredentialsOnly === true && (options.credentialFrom !== null || first !== null))
    throw mistake(settings, 'has both a credential and ownCredentialsOnly; keep one');
  if (options.credentialFrom !== null && first !== null)
    throw mistake(settings, 'has both a credential and the option credentialFrom; keep one');
  return options;
}

function findOrigin(
  declaration: ProviderDeclaration,
  settings: ProviderSettings,
  options: CheckedOptions,
  credentials: readonly Secret[],
): ReturnType<typeof parseOrigin> {
  const text = settings.origin ?? declaration.originOf?.(options) ?? originWith(declaration, options);
  if (text === null) throw mistake(settings, `needs an origin${exampleOf(declaration)}`);
  // The vendor itself serves nothing without one; a server at another address may.
  const isVendor = settings.origin === null || declaration.originExample !== undefined;
  if (
    isVendor &&
    declaration.environmentGives === 'credential' &&
    settings.ownCredentialsOnly !== true &&
    credentials.length === 0 &&
    options.credentialFrom === null
  )
    throw mistake(settings, 'needs a credential');
  try {
    return parseOrigin(text);
  } catch (error) {
    throw mistake(settings, (error as TypeError).message);
  }
}

function originWith({ origin }: ProviderDeclaration, options: CheckedOptions): string | null {
  return origin === null ? null : withOptions(origin, options);
}

/** Null without a list: an entry with an address of its own has none at another origin. */
function findList(
  { modelsAt, modelsPath }: ProviderDeclaration,
  { origin }: ProviderSettings,
  options: CheckedOptions,
): ModelsPlace | null {
  const list = modelsAt?.(options) ?? null;
  if (list !== null) return list.origin !== null && origin !== null ? null : list;
  return modelsPath === null ? null : { origin: null, path: withOptions(modelsPath, options), query: '' };
}

function exampleOf({ originExample }: ProviderDeclaration): string {
  return originExample === undefined ? '' : `, such as ${originExample}`;
}

function openSigners(
  signature: Signature,
  settings: ProviderSettings,
  credentials: readonly Secret[],
  around: SignatureContext,
): readonly Signer[] {
  const { credentialFrom } = around.options;
  if (credentialFrom !== null && signature.openFrom !== undefined) return [signature.openFrom(credentialFrom, around)];
  if (credentials.length === 0) return [unsigned];
  return credentials.map((credential) => readable(settings, () => signature.open(credential, around)));
}

/** What `read` makes of a credential; its `TypeError` says what is wrong with it. */
function readable<Read>(settings: ProviderSettings, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw mistake(settings, error.message);
  }
}

/** A path below the base path; a function that returns a route for each request is kept as it is. */
function wholeRoute(
  declared: RouteDeclaration,
  base: BasePath,
  settings: ProviderSettings,
  options: CheckedOptions,
): RouteDeclaration {
  if (typeof declared === 'function') return declared;
  if (!/^\/[\x21-\x7e]*$/.test(declared)) throw mistake(settings, `has an invalid path: ${JSON.stringify(declared)}`);
  return base.at(withOptions(declared, options));
}

/** The format of operations besides `chat`. */
const OPERATIONS_DIALECT = 'openai-chat';

/** Their paths, below the base path; with a path of its own for `chat`, those of a server with the usual ones are next to it. */
function operationsAt(
  { operations = {} }: ProviderDeclaration,
  base: BasePath,
  ownPath: string | undefined,
  options: CheckedOptions,
): OperationPaths {
  const { chat = '', others = {} } = providerDialects[OPERATIONS_DIALECT].usualPaths ?? {};
  if (operations !== 'usual') return mapPaths(operations, (path) => base.at(withOptions(path, options)));
  if (ownPath === undefined) return mapPaths(others, (path) => base.at(path));
  const ending = withoutVersion(chat);
  if (!ownPath.endsWith(ending)) return {};
  return mapPaths(others, (path) => base.at(ownPath.slice(0, -ending.length) + withoutVersion(path)));
}

function mapPaths(paths: OperationPaths, map: (path: string) => string): OperationPaths {
  return Object.fromEntries(Object.entries(paths).map(([operation, path]) => [operation, map(path)]));
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
