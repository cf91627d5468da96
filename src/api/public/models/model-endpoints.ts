/**
 * Where a model is served, in OpenRouter's shape: https://openrouter.ai/docs/api/api-reference/endpoints/list-endpoints. What it says of
 * uptime, latency and throughput is what calls through this node have shown; without calls it is null.
 */
import type { AliasRule } from '../../../catalog/alias.ts';
import type { Catalog, Model, Target } from '../../../catalog/model.ts';
import { ASSUMED_WINDOW } from '../../../core/assumed-limits.ts';
import { LIST_RATE } from '../../../core/rates/rate.ts';
import type { Provider } from '../../../providers/provider.ts';
import { servedBy } from '../../../routing/aliases.ts';
import type { HealthPort } from '../../../routing/ports.ts';
import type { HealthState } from '../../../telemetry/health-state.ts';
import type { Percentiles } from '../../../telemetry/pace-samples.ts';
import type { ProviderHealth } from '../../../telemetry/provider-health.ts';
import { architecture, pricing } from './model-shapes.ts';
import type { Reader, VisibleModels } from './visible-models.ts';

export interface EndpointFacts {
  readonly visible: VisibleModels;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly health: Pick<ProviderHealth, 'seenOf'>;
  readonly breakers: Pick<HealthPort, 'readiness'>;
  /** Whether a model without a known price is served. */
  readonly servesUnpriced: boolean;
}

/** OpenRouter has no words for its numbers; 0 is the usual one, and less is worse. */
const STATUS: Readonly<Record<HealthState, number>> = { unknown: 0, good: 0, limited: -1, failing: -2, dead: -5 };

/** `{data}`; null if the key sees no such model. For an alias, the endpoints of its models. */
export function listEndpoints(facts: EndpointFacts, reader: Reader, id: string): string | null {
  const shown = facts.visible.find(reader, id);
  if (shown === null) return null;
  return JSON.stringify({
    data: {
      id: shown.id,
      name: shown.name,
      created: shown.created,
      description: shown.description,
      architecture: architecture(shown),
      endpoints: placesOf(facts, reader, shown)
        .filter(({ target }) => facts.servesUnpriced || target.prices !== null)
        .map((place) => describe(facts, reader, place)),
    },
  });
}

/** A model at a provider. */
interface Place {
  readonly model: Model;
  readonly target: Target;
}

function placesOf(facts: EndpointFacts, reader: Reader, shown: Model): readonly Place[] {
  const { catalog } = facts.visible;
  const rule = catalog.get(shown.id) === undefined ? reader.aliases?.find(({ name }) => name === shown.id) : undefined;
  return rule === undefined
    ? shown.targets.map((target) => ({ model: shown, target }))
    : ofAlias(facts, reader, rule, catalog);
}

function ofAlias(
  { visible }: EndpointFacts,
  { permissions }: Reader,
  rule: AliasRule,
  catalog: Catalog,
): readonly Place[] {
  return rule.targets.flatMap((each) => {
    const served = servedBy(each, catalog);
    if (served === null || !visible.isSeen(permissions, served.model)) return [];
    const { model, provider } = served;
    return model.targets
      .filter((target) => provider === null || target.provider === provider)
      .map((target) => ({ model, target }));
  });
}

function describe({ providers, health, breakers }: EndpointFacts, { rates }: Reader, { model, target }: Place): object {
  const provider = providers.get(target.provider);
  const seen = provider === undefined ? null : health.seenOf(provider, model.id);
  const name = provider?.displayName ?? target.provider;
  const supports = (parameter: string) => model.supportedParameters.includes(parameter);
  return {
    name: `${name} | ${target.upstreamModel}`,
    model_id: model.id,
    model_name: model.name,
    provider_name: name,
    tag: target.provider,
    context_length: target.contextWindow ?? ASSUMED_WINDOW,
    max_completion_tokens: target.outputCap,
    max_prompt_tokens: null,
    pricing: pricing(target.prices, provider?.isOwnOnly === true ? LIST_RATE : rates.rateOf(model.id, false)),
    quantization: target.quantization ?? provider?.facts.quantization ?? null,
    supported_parameters: model.supportedParameters,
    // Only where prompts are kept unasked do cached tokens have a price, and writing them none.
    supports_implicit_caching: target.prices !== null && isDiscounted(target) && target.prices.cacheWrite === null,
    supports_tool_choice: toolChoices(supports('tools') && supports('tool_choice')),
    supports_voice_cloning: false,
    status: STATUS[seen?.state ?? 'unknown'],
    uptime_last_5m: seen?.uptime.last5m ?? null,
    uptime_last_30m: seen?.uptime.last30m ?? null,
    uptime_last_1d: seen?.uptime.last1d ?? null,
    latency_last_30m: rounded(seen?.pace?.firstTokenMs),
    throughput_last_30m: rounded(seen?.pace?.tokensPerSecond),
    health: seen?.state ?? 'unknown',
    resting: provider !== undefined && typeof breakers.readiness(provider, model.id) === 'object',
    own_credential_only: provider?.isOwnOnly ?? false,
    context_length_assumed: target.contextWindow === null,
  };
}

function isDiscounted({ prices }: Target): boolean {
  return prices !== null && prices.cacheRead !== null && prices.cacheRead < prices.input;
}

function toolChoices(isSupported: boolean): object {
  return { auto: isSupported, function: isSupported, none: isSupported, required: isSupported };
}

/** To tenths; null without a stream in the last half hour. */
function rounded(figures: Percentiles | undefined): Percentiles | null {
  if (figures === undefined) return null;
  const tenths = (figure: number) => Math.round(figure * 10) / 10;
  return { p50: tenths(figures.p50), p75: tenths(figures.p75), p90: tenths(figures.p90), p99: tenths(figures.p99) };
}
