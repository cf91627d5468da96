/**
 * The candidates that a caller's own credentials make: those of its project first, then those of its account, before the operator's or
 * instead of them. An account without any costs a call one look-up.
 */
import type { Model } from '../catalog/model.ts';
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import type { AccountId, ProjectId } from '../core/ids.ts';
import { mayMeanModel } from '../core/routing/model-pattern.ts';
import type { Provider } from '../providers/provider.ts';
import type { Candidate } from '../routing/candidate.ts';
import type { OwnCredential } from '../routing/own-credential.ts';
import type { Caller, OwnCredentialPort } from '../routing/ports.ts';
import { keepWithout, type Note } from '../routing/reason.ts';
import type { OwnCredentialEntry } from './own-credential-entry.ts';
import type { OwnCredentialRegistry } from './own-credential-registry.ts';

type Providers = ReadonlyMap<string, Provider>;

interface Around {
  readonly providers: Providers;
  readonly note: Note | null;
}

export interface OwnCandidateParts {
  readonly registry: Pick<OwnCredentialRegistry, 'of' | 'onChange'>;
  readonly clock: Pick<Clock, 'now'>;
}

export class OwnCandidates implements OwnCredentialPort {
  readonly #parts: OwnCandidateParts;
  /** By account: replaced when a credential of the account changes. */
  readonly #credentials = new Map<AccountId, Map<ProjectId, Scope>>();

  /** Whether any of a snapshot's providers has no credential of the operator's. */
  readonly #ownOnly = new WeakMap<Providers, boolean>();

  constructor(parts: OwnCandidateParts) {
    this.#parts = parts;
    parts.registry.onChange((account) => this.#credentials.delete(account));
  }

  arrange(
    candidates: readonly Candidate[],
    caller: Pick<Caller, 'accountId' | 'projectId'>,
    providers: Providers,
    note: Note | null = null,
  ): readonly Candidate[] {
    const arranged = this.#arrangeAll(candidates, caller, providers, note);
    return this.#hasOwnOnly(providers) ? withoutUnserved(arranged, providers, note) : arranged;
  }

  find(id: string, caller: Pick<Caller, 'accountId' | 'projectId'>): OwnCredential | null {
    if (this.#parts.registry.of(caller.accountId).length === 0) return null;
    return this.#scopeOf(caller).usable.find(({ entry }) => entry.stored.id === id)?.current ?? null;
  }

  #arrangeAll(
    candidates: readonly Candidate[],
    caller: Pick<Caller, 'accountId' | 'projectId'>,
    providers: Providers,
    note: Note | null,
  ): readonly Candidate[] {
    if (this.#parts.registry.of(caller.accountId).length === 0) return candidates;
    const { usable, known } = this.#scopeOf(caller);
    if (usable.length === 0) return candidates;
    const now = this.#parts.clock.now();
    const before = known.get(candidates);
    if (note === null && before !== undefined && before.providers === providers && now < before.until)
      return before.arranged;
    const groups = Map.groupBy(candidates, ({ model }) => model);
    const arranged = [...groups].flatMap(([model, group]) =>
      this.#arrangeModel(model, group, usable, { providers, note }),
    );
    if (arranged.length === 0 && candidates.length > 0) throw unusable(usable);
    known.set(candidates, { providers, until: nextEnd(usable, now), arranged });
    return arranged;
  }

  #hasOwnOnly(providers: Providers): boolean {
    let has = this.#ownOnly.get(providers);
    if (has === undefined) {
      has = [...providers.values()].some(({ isOwnOnly }) => isOwnOnly);
      this.#ownOnly.set(providers, has);
    }
    return has;
  }

  /** The candidates of one model. */
  #arrangeModel(model: Model, group: readonly Candidate[], all: readonly Usable[], { providers, note }: Around) {
    const kinds = new Set(model.targets.map((target) => providers.get(target.provider)?.kind));
    const applicable = all.filter(({ entry: { stored } }) => kinds.has(stored.kind) && isFor(stored.models, model.id));
    if (applicable.length === 0) return group;
    const own = applicable.flatMap((each) => {
      const plain = group.find(({ target }) => providers.get(target.provider)?.kind === each.entry.stored.kind);
      return plain === undefined ? [] : this.#credentialsOf(each).map((credential) => ({ ...plain, own: credential }));
    });
    const isBinding = applicable.some(
      ({ entry: { stored, service } }) =>
        // One that cannot be opened does not lead to the operator.
        stored.use === 'only' || (!stored.fallback && (own.length > 0 || service === null)),
    );
    if (!isBinding) return [...own, ...group];
    if (note !== null) for (const candidate of group) note(candidate, 'not_allowed');
    return own;
  }

  /** With the secret in use and, during the overlap of a rotation, with the one before. */
  #credentialsOf({ entry, current, former }: Usable): readonly OwnCredential[] {
    const overlaps = former !== null && (entry.stored.previousUntil ?? 0) > this.#parts.clock.now();
    return [...(current === null ? [] : [current]), ...(overlaps ? [former] : [])];
  }

  /** Those that a project may use, in order of use. */
  #scopeOf({ accountId, projectId }: Pick<Caller, 'accountId' | 'projectId'>): Scope {
    let ofAccount = this.#credentials.get(accountId);
    if (ofAccount === undefined) {
      ofAccount = new Map();
      this.#credentials.set(accountId, ofAccount);
    }
    let scope = ofAccount.get(projectId);
    if (scope === undefined) {
      const entries = this.#parts.registry.of(accountId).filter(({ stored }) => stored.enabled);
      const usable = [
        ...entries.filter(({ stored }) => stored.projectId === projectId),
        ...entries.filter(({ stored }) => stored.projectId === null),
      ].map(usableOf);
      scope = { usable, known: new WeakMap() };
      ofAccount.set(projectId, scope);
    }
    return scope;
  }
}

/** Without the operator's candidates at providers that are only called with own credentials. */
function withoutUnserved(candidates: readonly Candidate[], providers: Providers, note: Note | null) {
  const served = keepWithout(
    candidates,
    ({ own, target }) => (own === null && providers.get(target.provider)?.isOwnOnly === true ? 'not_allowed' : null),
    note,
  );
  const [first] = candidates;
  if (served.length > 0 || first === undefined) return served;
  throw new GatewayError('model_not_allowed', {
    message: `The model ${first.model.id} is only served with an own credential for ${first.target.provider}. An admin of the account can store one.`,
    param: 'model',
  });
}

/** What a project may use, in order, and what was arranged with it: a model's candidates are the same list for every call. */
interface Scope {
  readonly usable: readonly Usable[];
  readonly known: WeakMap<readonly Candidate[], Arranged>;
}

interface Arranged {
  readonly providers: Providers;
  /** Wall time, ms: when an overlap ends, the old secret is left out. */
  readonly until: number;
  readonly arranged: readonly Candidate[];
}

function nextEnd(usable: readonly Usable[], now: number): number {
  const ends = usable.map(({ entry }) => entry.stored.previousUntil ?? 0).filter((end) => end > now);
  return Math.min(Number.POSITIVE_INFINITY, ...ends);
}

interface Usable {
  readonly entry: OwnCredentialEntry;
  /** Null if it cannot be called. */
  readonly current: OwnCredential | null;
  /** With the secret before the last rotation. */
  readonly former: OwnCredential | null;
}

function usableOf(entry: OwnCredentialEntry): Usable {
  const { stored, service, formerService } = entry;
  const { id, name, fallback } = stored;
  const scope = stored.projectId === null ? ('account' as const) : ('project' as const);
  const facts = { id, name, fallback, isOnly: stored.use === 'only', scope };
  return {
    entry,
    current: service === null ? null : { ...facts, service },
    former: formerService === null ? null : { ...facts, service: formerService },
  };
}

function isFor(patterns: readonly string[] | null, model: string): boolean {
  if (patterns === null) return true;
  return patterns.some((pattern) => mayMeanModel(pattern, model));
}

function unusable(usable: readonly Usable[]): GatewayError {
  const problem =
    usable.find(({ current }) => current === null)?.entry.problem ?? 'It serves no provider that this request allows.';
  return new GatewayError('upstream_credential_rejected', {
    message: `Your own credential is the only one that may serve this model, and cannot be used. ${problem}`,
  });
}
