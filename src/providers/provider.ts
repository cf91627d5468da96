/**
 * A provider is a service or server that we call. A member of this family declares what is specific to it: its origin, where
 * each dialect is served, how requests are signed. `defineProvider` turns the declaration into a kind; the configuration
 * turns a kind into a `Provider` with an origin and a credential.
 */
import type { DeclaredQuirks, ProviderDialectName, QuirksOf } from '../dialects/index.ts';
import type { SamplingField } from '../dialects/interface/write-target.ts';
import type { Route, RouteDeclaration, RouteRequest, Signed, SignedRead, UnsignedRequest } from './route.ts';
import type { Signature } from './signature.ts';

/** What is specific to a vendor, as data. */
export interface ProviderDeclaration {
  readonly name: string;
  readonly displayName: string;
  /** Scheme, host and optional port; null if the configuration must set it. */
  readonly origin: string | null;
  /** Where each dialect is served at the origin. The first is preferred. */
  readonly routes: Partial<Record<ProviderDialectName, RouteDeclaration>>;
  /** Path that lists models, for `providers test`; null if there is none. */
  readonly modelsPath: string | null;
  /** How requests in a dialect are signed; `bearer` if absent. */
  readonly signatures: Partial<Record<ProviderDialectName, Signature>>;
  /** The environment variable that enables this provider when it is present. */
  readonly environmentVariable: string | null;
  /** What that variable holds: an address may leave out the scheme and the port of `origin`. */
  readonly environmentGives: 'credential' | 'origin';
  /** Headers of every request, unless the dialect passes the caller's header of the same name. Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether models without a price are free, as on a self-hosted server. */
  readonly freeByDefault: 'always' | 'private-address' | 'never';
  /** By dialect, where they differ from the usual ones. */
  readonly quirks: DeclaredQuirks;
  /** The sampling fields that a translated request includes for a model whose parameters are unknown. */
  readonly sampling: readonly SamplingField[];
  /** The page that documents these facts. */
  readonly documentation: string;
}

/** A provider as configured: a declaration with an origin, a credential and a name. */
export interface Provider {
  /** Unique; the configuration names `custom` ones. */
  readonly name: string;
  readonly kind: string;
  readonly displayName: string;
  readonly origin: string;
  /** The preferred one first. */
  readonly dialects: readonly ProviderDialectName[];
  /** Whether its models without a price are free; otherwise their cost is unknown. */
  readonly freeByDefault: boolean;
  /** Whether its requests carry a credential. */
  readonly hasCredential: boolean;
  /** The sampling fields that a translated request includes for a model whose parameters are unknown. */
  readonly sampling: readonly SamplingField[];
  /** All quirks in a dialect that it speaks: its own and the usual ones. */
  quirksOf<Name extends ProviderDialectName>(dialect: Name): QuirksOf<Name>;
  /** Where a request in one of `dialects` goes; null if it does not have the operation. */
  route(dialect: ProviderDialectName, request: RouteRequest): Route | null;
  /**
   * `request.route` must be one of its own. Returns a promise only if signing has to wait; it rejects with a `GatewayError`.
   */
  sign(request: UnsignedRequest): Signed | Promise<Signed>;
  /** The signed request that lists models; null if there is no list. */
  listModels(): SignedRead | Promise<SignedRead> | null;
}
