/**
 * A provider is somebody we call. A member of this family declares what is peculiar to it: its
 * origin, where each dialect lives there, how a request is signed. `defineProvider` turns the
 * declaration into a kind; the configuration turns a kind into a `Provider` with an origin and
 * a credential.
 */
import type { DeclaredQuirks, ProviderDialectName, QuirksOf } from '../dialects/index.ts';
import type { SamplingField } from '../dialects/interface/write-target.ts';
import type { Route, RouteDeclaration, RouteRequest, Signed, SignedRead, UnsignedRequest } from './route.ts';
import type { Signature } from './signature.ts';

/** What is peculiar to a vendor, as data. */
export interface ProviderDeclaration {
  readonly name: string;
  readonly displayName: string;
  /** Scheme, host and optional port; null where the configuration must say. */
  readonly origin: string | null;
  /** Dialect → where it is at the origin. The first is preferred. */
  readonly routes: Partial<Record<ProviderDialectName, RouteDeclaration>>;
  /** Path that lists models, for `providers test`; null where there is none. */
  readonly modelsPath: string | null;
  /** How requests in a dialect are signed; `bearer` where it is absent. */
  readonly signatures: Partial<Record<ProviderDialectName, Signature>>;
  /** The environment variable that enables this provider when it is present. */
  readonly environmentVariable: string | null;
  /** What that variable holds: an address may leave out the scheme and the port of `origin`. */
  readonly environmentGives: 'credential' | 'origin';
  /** Headers every request carries unless the caller's own of the same name may pass. Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether models without a price are free here: a server of one's own sends no bill. */
  readonly freeByDefault: 'always' | 'private-address' | 'never';
  /** By dialect, where it differs from the usual. */
  readonly quirks: DeclaredQuirks;
  /** What of sampling a translated request tells a model of which nobody knows what it takes. */
  readonly sampling: readonly SamplingField[];
  /** Page the facts above come from. */
  readonly documentation: string;
}

/** A provider as configured: a declaration with an origin, a credential and a name of its own. */
export interface Provider {
  /** Unique here; `custom` ones are named by the configuration. */
  readonly name: string;
  readonly kind: string;
  readonly displayName: string;
  readonly origin: string;
  /** The preferred one first. */
  readonly dialects: readonly ProviderDialectName[];
  /** Whether a model of it that has no price is free; otherwise nobody knows what it costs. */
  readonly freeByDefault: boolean;
  /** Whether its requests carry a credential. */
  readonly hasCredential: boolean;
  /** What of sampling a translated request tells a model of which nobody knows what it takes. */
  readonly sampling: readonly SamplingField[];
  /** All of a dialect that it speaks: its own, and the usual ones. */
  quirksOf<Name extends ProviderDialectName>(dialect: Name): QuirksOf<Name>;
  /** Where a request in one of `dialects` goes; null where it has no such operation. */
  route(dialect: ProviderDialectName, request: RouteRequest): Route | null;
  /** `request.route` is one of its own. A promise only where signing has to wait: it rejects with a `GatewayError`. */
  sign(request: UnsignedRequest): Signed | Promise<Signed>;
  /** The request that lists models, signed; null where there is no list. */
  listModels(): SignedRead | Promise<SignedRead> | null;
}
