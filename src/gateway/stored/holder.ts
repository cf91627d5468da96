/**
 * Where something that a provider keeps can be reached: at an account there, so with the credential that made it, or with its successor if the
 * provider has only one. An own credential keeps its id when its secret is replaced.
 */
import type { Provider } from '../../providers/provider.ts';
import type { Candidate } from '../../routing/candidate.ts';
import type { OwnCredential } from '../../routing/own-credential.ts';
import type { RoutingPorts } from '../../routing/ports.ts';
import type { Call } from '../call.ts';
import type { Identified } from '../phases.ts';
import type { Keeper } from './stored-answers.ts';

export interface HolderPorts {
  readonly routing: { readonly own: Pick<RoutingPorts['own'], 'find'> };
}

export interface Holder {
  /** The name of the operator's provider; of an own credential, where its models and prices come from. */
  readonly provider: string;
  /** The provider as it is called; undefined if the operator has it no more. */
  readonly service: Provider | undefined;
  /** The own credential and its name, or null for the operator's. */
  readonly own: Pick<OwnCredential, 'id' | 'name' | 'isOnly' | 'fallback'> | null;
  /** The number of the credential; `ANY` if it is not known which of several made it. */
  readonly credential: number;
  /** Whether the credential that made it was replaced by this one. */
  readonly isSuccessor: boolean;
}

/** Of what was stored before it was noted with which credential. */
export const ANY = -1;

/** As it is remembered; null without a credential. */
export function credentialName(call: Pick<Call, 'credential'>, { own }: Candidate, service: Provider): string | null {
  return own === null ? (service.credentialMarks[call.credential] ?? null) : `${OWN}${own.id}`;
}

/** Null if its credential is gone: no other one reaches it. `providers` are the operator's. */
export function findHolder(
  { routing }: HolderPorts,
  { key }: Pick<Identified, 'key'>,
  { provider, credential }: Keeper,
  providers: ReadonlyMap<string, Provider>,
): Holder | null {
  if (credential?.startsWith(OWN)) {
    const own = routing.own.find(credential.slice(OWN.length), key);
    if (own === null) return null;
    return { provider, service: own.service, own, credential: 0, isSuccessor: false };
  }
  const service = providers.get(provider);
  const count = service?.credentialCount ?? 0;
  const known = credential === null ? -1 : (service?.credentialMarks.indexOf(credential) ?? -1);
  // A single secret is replaced within one account there, at most vendors.
  if (known === -1 && credential !== null && count > 1) return null;
  const isSuccessor = known === -1 && credential !== null && count === 1;
  return {
    provider,
    service,
    own: null,
    credential: known === -1 ? (count > 1 ? ANY : 0) : known,
    isSuccessor,
  };
}

/** Whether a request of the candidate reaches it. */
export function isAt({ own, target }: Candidate, holder: Holder): boolean {
  return (own?.id ?? null) === (holder.own?.id ?? null) && (own !== null || target.provider === holder.provider);
}

/** Whether one request reaches both. */
export function areTogether(one: Holder, other: Holder): boolean {
  if ((one.own?.id ?? null) !== (other.own?.id ?? null)) return false;
  if (one.own !== null) return true;
  if (one.provider !== other.provider) return false;
  return one.credential === other.credential || one.credential === ANY || other.credential === ANY;
}

const OWN = 'own:';
