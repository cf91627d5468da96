/** Opens the client for connections to providers, with the configured proxies and certificate authorities. */
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { openAuthorities } from '../upstream/authorities.ts';
import { UpstreamClient } from '../upstream/client.ts';
import { configuredProxies } from './open-providers.ts';

export interface Upstream {
  readonly upstream: UpstreamClient;
  /** The proxy for calls to an origin, without its credentials; null for direct connections. */
  proxyOf(origin: string): string | null;
}

export function openUpstream({ timeouts, upstream }: Config, clock: Clock): Upstream {
  const proxies = configuredProxies(upstream);
  const secureContext = upstream.caFile === null ? null : openAuthorities(upstream.caFile);
  return {
    upstream: new UpstreamClient({ clock, connectMs: timeouts.connectMs, proxies, secureContext }),
    proxyOf: (origin) => proxies.of(origin)?.origin ?? null,
  };
}
