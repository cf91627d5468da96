/** Where one request goes at a provider, and how it is made known there: what `Provider.route` and `Provider.sign` speak of. */
import type { Body } from '../core/body.ts';
import type { ProviderDialectName } from '../dialects/index.ts';
import type { OperationName } from '../dialects/interface/caller-path.ts';
import type { FramingName } from '../wire/frames/framings.ts';
import type { CredentialTest } from './credential-test.ts';

/** What a route may depend on. */
export interface RouteRequest {
  readonly operation: OperationName;
  /** The model's name at the provider. */
  readonly model: string;
  readonly stream: boolean;
}

export interface Route {
  readonly dialect: ProviderDialectName;
  readonly path: string;
  /** What follows the `?`; empty without one. */
  readonly query: string;
  /** Path and query, as a request line has them. */
  readonly target: string;
  /** What the provider wants with each request, unless a header of the same name passes from the caller. Lower-case names. */
  readonly headers: Headers;
  /** How a streamed answer's bytes are cut into frames. */
  readonly framing: FramingName;
}

/** Lower-case names. */
export type Headers = Readonly<Record<string, string>>;

/** A request that only lacks its signature. */
export interface UnsignedRequest {
  readonly method: 'GET' | 'POST';
  readonly route: Pick<Route, 'dialect' | 'path' | 'query' | 'headers'>;
  /** Those that the dialect lets through; they win over the route's. */
  readonly headers: Headers;
  readonly body: Body | null;
}

export interface Signed {
  /** All that the request carries. */
  readonly headers: Record<string, string>;
  /** Finds whatever of the signature must never be repeated: the values it consists of, and what they were made from. */
  readonly secrets: CredentialTest;
}

/** A request to read something, signed. */
export interface SignedRead extends Signed {
  /** Path and query. */
  readonly target: string;
}

/** What a provider's declaration says of one request. */
export interface DeclaredRoute {
  /** At the provider's origin; begins with a slash. A model's name in it is percent-encoded: an operator chose it, and it may hold any character. */
  readonly path: string;
  readonly query?: string;
  readonly framing?: FramingName;
}

/** Where a provider has a dialect: its path of `chat`, or what says it for each request (null: it has no such operation). */
export type RouteDeclaration = string | ((request: RouteRequest) => DeclaredRoute | null);
