/** Whether a provider is asked in a format of its own, and whether that can express what is asked for. */
import type { Target } from '../../catalog/model.ts';
import { GatewayError } from '../../core/errors.ts';
import type { OperationFormat } from '../../dialects/interface/operation-format.ts';
import type { Provider } from '../../providers/provider.ts';
import type { Route } from '../../providers/route.ts';
import type { Paid } from '../phases.ts';

/** Where the provider has the operation in the caller's format; null if it has not. */
export function routeInDialect(
  { dialect, operation }: Pick<Paid, 'dialect' | 'operation'>,
  target: Target,
  provider: Provider | undefined,
): Route | null {
  const spoken = provider?.dialects.find((name) => String(name) === dialect.name);
  if (provider === undefined || spoken === undefined) return null;
  return provider.route(spoken, { operation: operation.name, model: target.upstreamModel, stream: false });
}

/** Null if it is asked in a dialect. What is translated is asked in none but dialects. */
export function ownFormat(
  call: Pick<Paid, 'dialect' | 'operation'>,
  target: Target,
  provider: Provider | undefined,
): OperationFormat | null {
  return call.operation.isTranslated ? null : (routeInDialect(call, target, provider)?.format ?? null);
}

/**
 * Of targets that a request is not translated for, those whose format can express it. Throws `GatewayError` 400, which says what the first
 * cannot, if there are none.
 */
export function expressibleTargets(targets: readonly Target[], call: Paid): readonly Target[] {
  let refusal: GatewayError | null = null;
  const expressible = targets.filter((target) => {
    try {
      ownFormat(call, target, call.providers.get(target.provider))?.writeRequest(call, target.upstreamModel);
      return true;
    } catch (error) {
      if (!(error instanceof GatewayError) || error.status !== 400) throw error;
      refusal ??= error;
      return false;
    }
  });
  if (expressible.length === 0 && refusal !== null) throw refusal;
  return expressible.length === targets.length ? targets : expressible;
}
