/**
 * Step: the order in which the caller would rather have the candidates tried: by the names of `order`, then by what it sorts by; otherwise
 * as the catalogue has them. Candidates of another model come after those of the requested one, unless all are sorted together.
 */
import type { Model } from '../catalog/model.ts';
import { isChargedByPiece } from '../catalog/unit-prices.ts';
import type { RoutePreferences, SortKey } from '../core/routing/route-preferences.ts';
import type { Provider } from '../providers/provider.ts';
import type { Candidate } from './candidate.ts';
import { paidRate } from './keep-terms.ts';
import type { HealthPort, Pace, RatePort } from './ports.ts';
import { rankOf } from './provider-names.ts';

/** What a caller states, by fields of its request and by suffixes of its models' names. */
export interface Wishes {
  readonly preferences: RoutePreferences | null;
  /** By model: `:nitro` and `:floor`. */
  readonly sorts: ReadonlyMap<Model, SortKey> | null;
}

export interface OrderFacts {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly health: Pick<HealthPort, 'pace'>;
  readonly rates: RatePort;
}

/** Whether the caller states an order at all. */
export function isOrdered({ preferences, sorts }: Wishes): boolean {
  return sorts !== null || (preferences !== null && (preferences.order.length > 0 || preferences.sort !== null));
}

export function orderCandidates(
  candidates: readonly Candidate[],
  wishes: Wishes,
  facts: OrderFacts,
): readonly Candidate[] {
  const { preferences, sorts } = wishes;
  if (candidates.length < 2 || (preferences === null && sorts === null)) return candidates;
  const order = preferences?.order ?? NO_NAMES;
  const together = preferences?.sortsModelsTogether === true && preferences.sort !== null;
  const groups = new Map<Model, number>();
  const ranked = candidates.map((candidate, index) => {
    const { model, target } = candidate;
    let group = 0;
    if (!together) {
      const known = groups.get(model);
      group = known ?? groups.size;
      if (known === undefined) groups.set(model, group);
    }
    const provider = facts.providers.get(target.provider);
    const rank = provider === undefined || order.length === 0 ? 0 : rankOf(provider, order);
    const sort = preferences?.sort ?? sorts?.get(model) ?? null;
    const pace = provider === undefined ? null : paceOf(facts, provider, model, sort, preferences);
    const slow = order.length === 0 && isTooSlow(pace, preferences) ? 1 : 0;
    return { candidate, index, slow, group, rank, key: keyOf(candidate, pace, sort, facts.rates) };
  });
  ranked.sort(
    (a, b) => a.slow - b.slow || a.group - b.group || a.rank - b.rank || compare(a.key, b.key) || a.index - b.index,
  );
  return ranked.map(({ candidate }) => candidate);
}

const NO_NAMES: readonly string[] = [];

function paceOf(
  { health }: OrderFacts,
  provider: Provider,
  model: Model,
  sort: SortKey | null,
  preferences: RoutePreferences | null,
): Pace | null {
  const isAsked = preferences !== null && (preferences.tokensPerSecondMin ?? preferences.firstTokenMsMax) !== null;
  return isAsked || sort === 'throughput' || sort === 'latency' ? health.pace(provider, model.id) : null;
}

/** What is not known counts as fast enough. */
function isTooSlow(pace: Pace | null, preferences: RoutePreferences | null): boolean {
  if (pace === null || preferences === null) return false;
  const { tokensPerSecondMin, firstTokenMsMax } = preferences;
  return (
    (tokensPerSecondMin !== null && pace.tokensPerSecond < tokensPerSecondMin) ||
    (firstTokenMsMax !== null && pace.firstTokenMs > firstTokenMsMax)
  );
}

/** Less comes first; what is not known comes last. */
function keyOf(candidate: Candidate, pace: Pace | null, sort: SortKey | null, rates: RatePort): number {
  if (sort === null) return 0;
  const { prices } = candidate.target;
  // What the caller pays for as many tokens read as written. What is charged by the piece is not comparable with that, and not free.
  if (sort === 'price')
    return prices === null || isChargedByPiece(prices)
      ? UNKNOWN
      : Number(prices.input + prices.output) * paidRate(candidate, rates);
  if (pace === null) return UNKNOWN;
  return sort === 'throughput' ? -pace.tokensPerSecond : pace.firstTokenMs;
}

const UNKNOWN = Number.POSITIVE_INFINITY;

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
