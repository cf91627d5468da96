/** The configured providers and whether they answer. Their credentials are not shown, in whole or in part. */
import { GatewayError } from '../core/errors.ts';
import type { ControlServices } from './services.ts';

export function listProviders(services: Pick<ControlServices, 'providers' | 'catalog'>) {
  const models = services.catalog.all();
  const data = services.providers.map((provider) => ({
    name: provider.name,
    kind: provider.kind,
    display_name: provider.displayName,
    origin: provider.origin,
    dialects: provider.dialects,
    models: models.filter((model) => model.targets.some((target) => target.provider === provider.name)).length,
  }));
  return { data, total_count: data.length };
}

export async function testProvider(services: Pick<ControlServices, 'providers' | 'testConnection'>, name: string) {
  const provider = services.providers.find((each) => each.name === name);
  if (provider === undefined) {
    const names = services.providers.map((each) => each.name).join(', ');
    throw new GatewayError('not_found', { message: `There is no provider ${name}; there are: ${names || 'none'}.` });
  }
  const report = await services.testConnection(provider);
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
