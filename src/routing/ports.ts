/**
 * What routing asks others, and what it takes for granted without them: every provider is ready, a name has no other meaning, no
 * conversation has been kept anywhere, and nobody has a credential of their own.
 */
import type { AliasRule } from '../catalog/alias.ts';
import type { AccountId, KeyId, ProjectId } from '../core/ids.ts';
import type { Rate } from '../core/rates/rate.ts';
import type { Provider } from '../providers/provider.ts';
import type { Candidate } from './candidate.ts';
import type { OwnCredential } from './own-credential.ts';
import type { Note } from './reason.ts';

/** Whose call it is: what routing reads of a key. */
export interface Caller {
  /** The key. */
  readonly id: KeyId;
  /** The first key of its chain of rotations. */
  readonly rootId: KeyId;
  readonly accountId: AccountId;
  readonly projectId: ProjectId;
}

/** `probing`: it rested, and the next call may show whether it is well again. */
export type Readiness = 'ready' | 'probing' | Resting;

export interface Resting {
  /** Monotonic, ms. */
  readonly until: number;
}

/** How fast a provider has lately answered with a model. */
export interface Pace {
  /** Median time to the first token. */
  readonly firstTokenMs: number;
  /** Median, of a stream's output. */
  readonly tokensPerSecond: number;
}

/** How providers are, by what calls to them have shown. Each answer takes the same short time, and allocates nothing. */
export interface HealthPort {
  readiness(provider: Provider, modelId: string): Readiness;
  /** Whether it rests because all its credentials were rejected or limited. */
  isCredentialResting(provider: Provider, modelId: string): boolean;
  /** Null if too little is known. */
  pace(provider: Provider, modelId: string): Pace | null;
}

/** Names that an operator, an account or a project has given to models. */
export interface AliasPort {
  /** Undefined if the name is no alias of this caller's. It is asked for names that are no id. `aliases.ts` says which models it leads to. */
  find(name: string, caller: Caller): AliasRule | undefined;
  /** All that the caller's names lead to, for a hint in an error. */
  inForce(caller: Caller): readonly AliasRule[];
  /** At least 0 and below 1, another one each time. */
  random(): number;
}

/** Where a conversation was served last. */
export interface KeptAt {
  readonly provider: string;
  readonly upstreamModel: string;
  /** The id of the own credential; null for the operator's. */
  readonly own: string | null;
  /** Which of the operator's, if there are several: its mark; otherwise null. */
  readonly mark: string | null;
}

export interface StickyPort {
  /** Null if it is not known. */
  find(projectId: ProjectId, conversation: string): KeptAt | null;
  /** Called once the conversation was answered there. */
  keep(accountId: AccountId, projectId: ProjectId, conversation: string, at: KeptAt): void;
}

export interface OwnCredentialPort {
  /**
   * Puts the candidates that a caller's own credentials make before those of the operator, or in their place, as the credentials' owner
   * wants it; the same list if it has none for these. Throws `GatewayError` `upstream_credential_rejected` if only own credentials may
   * serve, and none can be used. `note` gets those that are left out.
   */
  arrange(
    candidates: readonly Candidate[],
    caller: Pick<Caller, 'accountId' | 'projectId'>,
    providers: ReadonlyMap<string, Provider>,
    note: Note | null,
  ): readonly Candidate[];
  /** One that the caller may use, with the secret in use; null if there is none, or it cannot be used. */
  find(id: string, caller: Pick<Caller, 'accountId' | 'projectId'>): OwnCredential | null;
}

/** What an account is charged of the list price: the rates that a call is pinned to. */
export interface RatePort {
  /** `isOwn`: with a credential of the account or its project. */
  rateOf(model: string, isOwn: boolean): Rate;
}

export interface RoutingPorts {
  readonly health: HealthPort;
  readonly aliases: AliasPort;
  readonly sticky: StickyPort;
  readonly own: OwnCredentialPort;
}

export const PLAIN_ROUTING: RoutingPorts = {
  health: { readiness: () => 'ready', isCredentialResting: () => false, pace: () => null },
  aliases: { find: () => undefined, inForce: () => [], random: Math.random },
  sticky: { find: () => null, keep: () => undefined },
  own: { arrange: (candidates) => candidates, find: () => null },
};
