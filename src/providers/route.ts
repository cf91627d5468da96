/** Where one request goes at a provider, and how it is signed: the types of `Provider.route` and `Provider.sign`. */
import type { Body } from '../core/body.ts';
import type { ProviderDialectName } from '../dialects/index.ts';
import type { OperationName } from '../dialects/interface/caller-path.ts';
import type { FormatPlace, OperationFormat } from '../dialects/interface/operation-format.ts';
import type { FramingName } from '../wire/frames/framings.ts';
import type { CredentialTest } from './credential-test.ts';
import type { CheckedOptions } from './provider-options.ts';

/** What a route may depend on. */
export interface RouteRequest {
  readonly operation: OperationName;
  /** The model's name at the provider. */
  readonly model: string;
  readonly stream: boolean;
  /** Whether it is several requests in one. Absent if not. */
  readonly isBatch?: true;
}

export interface Route {
  readonly dialect: ProviderDialectName;
  readonly path: string;
  /** What follows the `?`; empty without one. */
  readonly query: string;
  /** Path and query, as a request line has them. */
  readonly target: string;
  /** Headers that the provider requires, unless the caller's header of the same name is passed. Lower-case names. */
  readonly headers: Headers;
  /** How a streamed answer's bytes are cut into frames. */
  readonly framing: FramingName;
  /** The provider's own format of the operation; null if it has it in the dialect. Its requests go below this route. */
  readonly format: OperationFormat | null;
}

/** The route of a request in a format of the provider's own. */
export function routeBelow(route: Route, { below, query }: FormatPlace): Route {
  const path = route.path + below;
  return { ...route, path, query, target: query === '' ? path : `${path}?${query}` };
}

/** Lower-case names. */
export type Headers = Readonly<Record<string, string>>;

/** A complete request without its signature. */
export interface UnsignedRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly route: Pick<Route, 'dialect' | 'path' | 'query' | 'headers'>;
  /** Those that the dialect passes; they override the route's. */
  readonly headers: Headers;
  readonly body: Body | null;
}

export interface Signed {
  /** All headers of the request. */
  readonly headers: Record<string, string>;
  /** Finds the parts of the signature that must never be repeated: its values, and what they were made from. */
  readonly secrets: CredentialTest;
  /**
   * To be called if the provider refused the request: learns from the refusal, and returns whether the same request, signed again, may be
   * accepted. Absent if it never would be.
   */
  refused?(status: number, headers: AnswerHeaders): boolean;
}

/** Of an answer; lower-case names. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A request to read something, signed. */
export interface SignedRead extends Signed {
  readonly origin: string;
  /** Path and query. */
  readonly target: string;
}

/** A provider's declared route for one request. */
export interface DeclaredRoute {
  /** At the provider's origin; begins with a slash. A model's name in it is percent-encoded: an operator chose it, and it may hold any character. */
  readonly path: string;
  readonly query?: string;
  readonly framing?: FramingName;
}

/**
 * Where a provider serves a dialect: the path of `chat`, or a function of each request and of the entry's options (null: it does not have
 * the operation, or does not serve that model in this dialect).
 */
export type RouteDeclaration = string | ((request: RouteRequest, options: CheckedOptions) => DeclaredRoute | null);

/** Of `openai-chat` at a provider that has other operations of the format alone, such as vectors: its `operations` name them. */
export const noConversations: RouteDeclaration = () => null;
