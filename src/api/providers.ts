/** All providers and whether they answer. Their credentials are not shown, in whole or in part. */
import { GatewayError } from '../core/errors.ts';
import type { TestOptions } from '../probe/test-connection.ts';
import type { ControlServices } from './services.ts';

export function listProviders({
  providers,
  healthOf,
  proxyOf,
}: Pick<ControlServices, 'providers' | 'healthOf' | 'proxyOf'>) {
  const data = providers.list().map((provider) => ({
    name: provider.name,
    kind: provider.kind,
    display_name: provider.displayName,
    origin: provider.origin,
    calls_to: provider.callsTo,
    proxy: URL.canParse(provider.origin) ? proxyOf(provider.origin) : null,
    dialects: provider.dialects,
    models: provider.models,
    source: provider.source,
    is_enabled: provider.isEnabled,
    problem: provider.problem,
    health: provider.isShadowed ? null : healthOf(provider.name),
  }));
  return { data, total_count: data.length };
}

/** Throws `GatewayError` `not_found`. `endsTrouble`: an operator asks for this test, and for nothing else. */
export async function testProvider(
  services: Pick<ControlServices, 'providers' | 'testConnection'>,
  name: string,
  options: TestOptions,
) {
  const names = services.providers.list().map((each) => each.name);
  if (!names.includes(name))
    throw new GatewayError('not_found', {
      message: `There is no provider ${name}; there are: ${names.join(', ') || 'none'}.`,
    });
  const report = await services.testConnection(services.providers.callable(name), options);
  return {
    data: {
      provider: report.provider,
      origin: report.origin,
      ok: report.ok,
      status: report.status,
      models: report.models,
      duration_ms: Math.round(report.durationMs),
      problem: report.problem,
    },
  };
}
