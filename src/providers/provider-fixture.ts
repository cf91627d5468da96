/** Test material: one request of a provider, from its route to its signature, where that does not wait. */
import assert from 'node:assert/strict';
import type { ProviderDialectName } from '../dialects/index.ts';
import type { OperationName } from '../dialects/interface/caller-path.ts';
import type { Provider } from './provider.ts';
import type { Headers, Signed } from './route.ts';

export interface SignedCall extends Signed {
  /** Path and query. */
  readonly target: string;
}

/** `headers` are what the dialect lets through. */
export function signCall(
  provider: Provider,
  dialect: ProviderDialectName,
  headers: Headers = {},
  operation: OperationName = 'chat',
): SignedCall {
  const route = provider.route(dialect, { operation, model: 'some-model', stream: false });
  assert(route !== null, `${provider.name} has no ${operation} in ${dialect}`);
  const signed = provider.sign({ method: 'POST', route, headers, body: null });
  assert(!(signed instanceof Promise), 'signed at once');
  return { ...signed, target: route.target };
}

/** The request that lists models, where there is one. */
export function signList(provider: Provider): SignedCall | null {
  const signed = provider.listModels();
  assert(!(signed instanceof Promise), 'signed at once');
  return signed;
}
