/** Opens the client for connections to providers, with the configured proxies and certificate authorities. */
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Outside } from '../providers/outside.ts';
import { openAuthorities } from '../upstream/authorities.ts';
import { UpstreamClient } from '../upstream/client.ts';
import { configuredProxies } from './open-providers.ts';

export interface Upstream {
  readonly upstream: UpstreamClient;
  /** The proxy for calls to an origin, without its credentials; null for direct connections. */
  proxyOf(origin: string): string | null;
  readonly outside: Outside;
}

export function openUpstream(
  { timeouts, upstream }: Config,
  clock: Clock,
  environment: Outside['environment'],
): Upstream {
  const proxies = configuredProxies(upstream);
  const secureContext = upstream.caFile === null ? null : openAuthorities(upstream.caFile);
  const client = new UpstreamClient({ clock, connectMs: timeouts.connectMs, proxies, secureContext });
  return {
    upstream: client,
    proxyOf: (origin) => proxies.of(origin)?.origin ?? null,
    outside: { clock, environment, request: (request, limits) => client.request(request, limits) },
  };
}
