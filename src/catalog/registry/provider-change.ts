/** How a provider of the dashboard is changed, and what that is refused with. */
import { assert } from '../../core/assert.ts';
import { GatewayError } from '../../core/errors.ts';
import { type FixedProvider, type ListedProvider, PLACES } from '../listed-provider.ts';
import type { StoredEntry } from '../stored-provider.ts';

/** How a change is made. */
export interface ProviderChange {
  /** Called in the transaction; throws the error that the request would get if it came now. */
  checkStill?(): Promise<void>;
  /** Records the change, in its transaction. */
  note?(news: ProviderNews): Promise<void>;
}

/** Null before a creation, and after a deletion. */
export interface ProviderNews {
  readonly before: ListedProvider | null;
  readonly after: ListedProvider | null;
}

/** What is written, once it is known that nothing changed meanwhile. */
export interface Decision {
  /** Null for a deletion. */
  readonly entry: StoredEntry | null;
  /** The number of the change; null if the store has a different state. */
  write(): Promise<number | null>;
}

export function present(provider: ListedProvider | null): ListedProvider {
  assert(provider !== null, 'a written provider exists');
  return provider;
}

export function definedElsewhere({ provider: { name }, source }: FixedProvider): GatewayError {
  const message = `The provider ${name} is defined by ${PLACES[source]}; change it there.`;
  return new GatewayError('conflict', { message, facts: { source } });
}

export function nameTaken(name: string): GatewayError {
  return new GatewayError('conflict', { message: `A provider named ${name} already exists.`, param: 'name' });
}

export function notFound(name: string): GatewayError {
  return new GatewayError('not_found', { message: `No provider is named ${name}.` });
}
