/** Reads what the request asks for: model, stream, output cap, governed fields; and finds where that model is served. */
import { mayUse } from '../../accounts/limits.ts';
import type { RateBook } from '../../billing/rates.ts';
import type { Catalog } from '../../catalog/model.ts';
import type { Provider } from '../../providers/provider.ts';
import { type Choice, chooseCandidates } from '../../routing/choose-candidates.ts';
import { keepStated } from '../../routing/keep-stated.ts';
import { keepTerms } from '../../routing/keep-terms.ts';
import { noneMeets } from '../../routing/none-meets.ts';
import type { RoutingPorts } from '../../routing/ports.ts';
import type { Note } from '../../routing/reason.ts';
import type { Arrived, Free, Paid } from '../phases.ts';

export interface UnderstandPorts {
  readonly catalog: Catalog;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly routing: RoutingPorts;
  readonly rates: Pick<RateBook, 'of'>;
}

/**
 * Throws `GatewayError` 400 from reading the request, 403 and 404 from `chooseCandidates`, and 400 if no candidate is what the caller states.
 * `note` gets those that are left out.
 */
export function understand(
  ports: UnderstandPorts,
  call: Arrived,
  note: Note | null = null,
): asserts call is Paid | Free {
  const { key, project, account, operation, dialect, inbound } = call;
  const { catalog, providers, routing } = ports;
  const peek = operation.peek(dialect, inbound);
  // Set before the model is found, so that the refusal is recorded with the model asked for.
  call.peek = peek;
  const facts = { catalog, mayUse: mayUse(key, project, account), aliases: routing.aliases, caller: key };
  const { model, named, candidates, sorts }: Choice = chooseCandidates(peek, facts, note);
  const { preferences = null } = peek;
  call.model = model;
  call.named = named;
  call.providers = providers;
  call.wishes = preferences === null && sorts === null ? null : { preferences, sorts };
  const ofAccount = ports.rates.of(account);
  const rates = call.line === null ? ofAccount : (ofAccount.ofBatches ?? ofAccount);
  call.rates = rates;
  if (preferences === null) {
    call.candidates = routing.own.arrange(candidates, key, providers, note);
    return;
  }
  const stated = keepStated(candidates, preferences, providers, note);
  if (stated.length === 0)
    throw noneMeets(candidates, (listen) => keepStated(candidates, preferences, providers, listen));
  const arranged = routing.own.arrange(stated, key, providers, note);
  const agreed = keepTerms(arranged, preferences, { providers, rates }, peek, note);
  const [first] = agreed;
  if (first === undefined)
    throw noneMeets(arranged, (listen) => keepTerms(arranged, preferences, { providers, rates }, peek, listen));
  call.model = first.model;
  call.candidates = agreed;
}

export function isPaid(call: Paid | Free): call is Paid {
  return call.operation.isPaid;
}
