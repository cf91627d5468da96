/** Opens the client for connections to providers, with the configured proxies and certificate authorities. */
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Outside } from '../providers/outside.ts';
import { openAuthorities } from '../upstream/authorities.ts';
import { UpstreamClient } from '../upstream/client.ts';
import { EgressPolicy } from '../upstream/egress-policy.ts';
import { configuredProxies } from './open-providers.ts';

export interface Upstream {
  readonly upstream: UpstreamClient;
  /** The proxy for calls to an origin, without its credentials; null for direct connections. */
  proxyOf(origin: string): string | null;
  readonly outside: Outside;
  /** For credentials of members, which may name where their tokens are issued: every address is judged. */
  readonly membersOutside: Outside;
  readonly egress: EgressPolicy;
}

export function openUpstream(
  { timeouts, upstream, egress: settings }: Config,
  clock: Clock,
  environment: Outside['environment'],
): Upstream {
  const proxies = configuredProxies(upstream);
  const secureContext = upstream.caFile === null ? null : openAuthorities(upstream.caFile);
  const egress = new EgressPolicy(settings);
  const client = new UpstreamClient({ clock, connectMs: timeouts.connectMs, proxies, secureContext, egress });
  return {
    upstream: client,
    proxyOf: (origin) => proxies.of(origin)?.origin ?? null,
    outside: { clock, environment, request: (request, limits) => client.request(request, limits) },
    // The operator's environment is not theirs.
    membersOutside: {
      clock,
      environment: {},
      request: (request, limits) => client.request({ ...request, isJudged: true }, limits),
    },
    egress,
  };
}
