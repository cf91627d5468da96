/** For tests: one request of a provider, from its route to its signature, if signing is synchronous. */
import assert from 'node:assert/strict';
import type { ProviderDialectName } from '../dialects/index.ts';
import type { OperationName } from '../dialects/interface/caller-path.ts';
import type { Provider } from './provider.ts';
import type { Headers, Signed } from './route.ts';

export interface SignedCall extends Signed {
  /** Path and query. */
  readonly target: string;
}

/** `headers` are those that the dialect passes. */
export function signCall(
  provider: Provider,
  dialect: ProviderDialectName,
  headers: Headers = {},
  operation: OperationName = 'chat',
): SignedCall {
  const route = provider.route(dialect, { operation, model: 'some-model', stream: false });
  assert(route !== null, `${provider.name} has no ${operation} in ${dialect}`);
  const signed = provider.sign({ method: 'POST', route, headers, body: null });
  assert(!(signed instanceof Promise), 'signed synchronously');
  return { ...signed, target: route.target };
}

/** The request that lists models, if there is one. */
export function signList(provider: Provider): SignedCall | null {
  const signed = provider.listModels();
  assert(!(signed instanceof Promise), 'signed synchronously');
  return signed;
}
