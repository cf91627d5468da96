/**
 * A provider is a service or server that we call. A member of this family declares what is specific to it: its origin, where
 * each dialect is served, how requests are signed. `defineProvider` turns the declaration into a kind; the configuration
 * turns a kind into a `Provider` with an origin and a credential.
 */
import type { ServerTool } from '../core/server-tools.ts';
import type { DeclaredQuirks, OperationFormatName, ProviderDialectName, QuirksOf } from '../dialects/index.ts';
import type { OperationName } from '../dialects/interface/caller-path.ts';
import type { OperationPaths } from '../dialects/interface/usual-paths.ts';
import type { SamplingField } from '../dialects/interface/write-target.ts';
import type { CheckedOptions, CompleteOptions, DeclaredOptions } from './provider-options.ts';
import type { Route, RouteDeclaration, RouteRequest, Signed, SignedRead, UnsignedRequest } from './route.ts';
import type { ServiceFacts } from './service-facts.ts';
import type { Signature } from './signature.ts';

/** What is specific to a vendor, as data. */
export interface ProviderDeclaration {
  readonly name: string;
  readonly displayName: string;
  /** Scheme, host and optional port; null if the configuration must set it. May contain the names of options: `https://{region}.example`. */
  readonly origin: string | null;
  /** An address of one customer, if every customer has another one. */
  readonly originExample?: string;
  /** What an entry says besides address and credential. */
  readonly options: DeclaredOptions;
  /** Supplies options that the credential already says. */
  readonly completeOptions?: CompleteOptions;
  /** The origin, if it is not `origin` with the options filled in. */
  originOf?(options: CheckedOptions): string;
  /** Where each dialect is served at the origin. The first is preferred. */
  readonly routes: Partial<Record<ProviderDialectName, RouteDeclaration>>;
  /**
   * Where operations besides `chat` are served in OpenAI's format, as `openai-chat` is declared: a path for each that it has, or `usual` for a
   * server that may have any of them. None if absent.
   */
  readonly operations?: OperationPaths | 'usual';
  /** Of those, the ones that it has in a format of its own. */
  readonly formats?: { readonly [operation in OperationName]?: OperationFormatName };
  /** A name of a model in each dialect that does not serve all of them. */
  readonly exampleModels?: Partial<Record<ProviderDialectName, string>>;
  /** Path that lists models, for `providers test`; null if there is none. */
  readonly modelsPath: string | null;
  /** Where models are listed, if that depends on the options, or is another origin than that of calls. */
  modelsAt?(options: CheckedOptions): ModelsPlace;
  /**
   * Which of the catalogue's names for one model an entry is offered without being asked for it; all if absent. `names` are all names of
   * that model at this kind.
   */
  offers?(name: string, names: readonly string[], options: CheckedOptions): boolean;
  /**
   * Whose price of the catalogue applies to a name: itself, if absent. `names` are all names of that model at this kind.
   */
  pricedAs?(name: string, names: readonly string[], options: CheckedOptions): string;
  /** By how many percent a model's tokens cost more at this origin, with these options, than in the catalogue; 0 if absent. */
  surchargePercent?(model: string, options: CheckedOptions, origin: string): number;
  /** How requests in a dialect are signed; `bearer` if absent. */
  readonly signatures: Partial<Record<ProviderDialectName, Signature>>;
  /** The environment variable that enables this provider when it is present. */
  readonly environmentVariable: string | null;
  /** The variable with the origin, if every customer has another one. */
  readonly environmentOrigin?: string;
  /** The credential in further variables, for the entry of the kind's own name; they do not enable it. Null if there is none. */
  credentialOfEnvironment?(variables: CredentialVariables): string | null;
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
  /** The tools that it runs itself in `openai-responses`; absent if unknown: then all are passed on. */
  readonly serverTools?: readonly ServerTool[];
  /** Set if it does not promise that `max_tool_calls` limits how often its tools are used. */
  readonly ignoresToolLimit?: true;
  /** Whether it keeps answers, so that later requests may name them: see `gateway/stored/`. */
  readonly keepsAnswers?: true;
  /** The page that documents these facts. */
  readonly documentation: string;
}

export interface CredentialVariables {
  /** The value of a variable, or of the file that `<NAME>_FILE` names. */
  read(name: string): string | null;
  /** The content of the file that a variable names. */
  readFile(name: string): string | null;
}

export interface ModelsPlace {
  /** Null: that of calls. */
  readonly origin: string | null;
  readonly path: string;
  /** What follows the `?`; may be empty. */
  readonly query: string;
}

/** A provider as configured: a declaration with an origin, a credential and a name. */
export interface Provider {
  /** Unique; the configuration names `custom` ones. */
  readonly name: string;
  readonly kind: string;
  readonly displayName: string;
  readonly origin: string;
  readonly options: CheckedOptions;
  /** The preferred one first. */
  readonly dialects: readonly ProviderDialectName[];
  /** Whether its models without a price are free; otherwise their cost is unknown. */
  readonly freeByDefault: boolean;
  /** Whether its requests carry a credential. */
  readonly hasCredential: boolean;
  /** How many credentials it has; each signs by its number, from 0. 0 if its requests carry none. */
  readonly credentialCount: number;
  /** The last characters of each, for operators; null if it is too short to show any, or fetched from elsewhere. */
  readonly credentialHints: readonly (string | null)[];
  /** A short digest of each, by which it is recognised; empty if there are none, or they are fetched from elsewhere. */
  readonly credentialMarks: readonly string[];
  /** The sampling fields that a translated request includes for a model whose parameters are unknown. */
  readonly sampling: readonly SamplingField[];
  /** Whether it keeps answers, so that later requests may name them. */
  readonly keepsAnswers: boolean;
  /** Whether its credential is one of a member of an account: no operator is alerted if it is rejected. */
  readonly isMembers: boolean;
  /** Whether it is only called with own credentials of accounts and projects. */
  readonly isOwnOnly: boolean;
  /** What the operator states of its service. */
  readonly facts: ServiceFacts;
  /** Whether a member of an account chose its origin: then every connection to it passes the egress policy. */
  readonly isJudged: boolean;
  /** The tools that it runs itself; null if unknown. */
  readonly serverTools: readonly ServerTool[] | null;
  /** Whether `max_tool_calls` may not limit how often its tools are used. */
  readonly ignoresToolLimit: boolean;
  /** All quirks in a dialect that it speaks: its own and the usual ones. */
  quirksOf<Name extends ProviderDialectName>(dialect: Name): QuirksOf<Name>;
  /** Those of `dialects` in which it serves a model, by its name there. */
  dialectsOf(model: string): readonly ProviderDialectName[];
  /** Path and query of a call in a dialect, to be shown; the model's name is `<model>`. */
  exampleTarget(dialect: ProviderDialectName): string;
  /** Whether a model that is known at this kind is offered here under `name`; `names` are all its known names at this kind. */
  offers(name: string, names: readonly string[]): boolean;
  /** Which of a model's known names at this kind has the price that applies to `name` here; null if none is known to. */
  pricedAs(name: string, names: readonly string[]): string | null;
  /** By how many percent a model's tokens cost more here than in the catalogue. */
  surchargePercent(model: string): number;
  /** Where a request in one of `dialects` goes; null if it does not have the operation, or not for that model. */
  route(dialect: ProviderDialectName, request: RouteRequest): Route | null;
  /**
   * `request.route` must be one of its own; `credential` is 0 if absent. Returns a promise only if signing has to wait; it rejects with a
   * `GatewayError`.
   */
  sign(request: UnsignedRequest, credential?: number): Signed | Promise<Signed>;
  /** The signed request that lists models; null if there is no list. `credential` is 0 if absent. */
  listModels(credential?: number): SignedRead | Promise<SignedRead> | null;
}
