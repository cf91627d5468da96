/** Opens the providers of the configuration and the dashboard with the models they serve, and starts the demo's server. */
import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PriceStore } from '../billing/ports.ts';
import type { FixedProvider } from '../catalog/listed-provider.ts';
import type { Model, PricedTarget } from '../catalog/model.ts';
import type { ConfiguredModel } from '../catalog/open-catalog.ts';
import type { ListedPriceStore, ProviderStore } from '../catalog/ports.ts';
import { ProviderRegistry } from '../catalog/provider-registry.ts';
import { isSame } from '../config/changed-options.ts';
import type { Config } from '../config/config.ts';
import type { ProviderConfig } from '../config/providers.ts';
import { assert } from '../core/assert.ts';
import type { Clock } from '../core/clock.ts';
import type { PriceVersionId } from '../core/ids.ts';
import type { Sealer } from '../core/sealing/sealer.ts';
import { Secret } from '../core/secret.ts';
import type { Transactions } from '../core/transactions.ts';
import { configuredQuirks, overlaidQuirks } from '../dialects/quirks.ts';
import { configureProvider } from '../providers/configure.ts';
import { findProviderKind, providerKinds } from '../providers/index.ts';
import type { Outside } from '../providers/outside.ts';
import type { Provider, ProviderDeclaration } from '../providers/provider.ts';
import { Proxies } from '../upstream/proxies.ts';

export interface OpenProvidersParts {
  readonly prices: PriceStore;
  readonly listedPrices: ListedPriceStore;
  /** Providers added in the dashboard. */
  readonly store: ProviderStore;
  readonly transactions: Transactions;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly outside: Outside;
}

export interface OpenProviders {
  /** The current providers and models, and how they change. */
  readonly registry: ProviderRegistry;
  /** Serves new calls with other entries of the configuration. Those that have not changed keep their provider, and so its health. */
  replaceConfigured(entries: Config['providers']): Promise<void>;
  closeDemo(): Promise<void>;
}

export async function openProviders(config: Config, parts: OpenProvidersParts): Promise<OpenProviders> {
  const { prices, listedPrices, store, transactions, sealer, clock, outside } = parts;
  let configured = config.providers.map((entry) => ({ entry, fixed: fixedProvider(entry, outside) }));
  const demo = config.demo ? await openDemo(clock) : null;
  const closeDemo = async () => demo?.close();
  const builtIn: FixedProvider[] = demo === null ? [] : [{ provider: demo.provider, source: 'built-in', models: [] }];
  try {
    const registry = await ProviderRegistry.open({
      fixed: [...configured.map(({ fixed }) => fixed), ...builtIn],
      wholeModels: demo === null ? [] : demo.models,
      store,
      listedPrices,
      transactions,
      sealer,
      outside,
      pin: (targets) => pinInTurns(prices, targets),
      clock,
    });
    const replaceConfigured = async (entries: Config['providers']) => {
      const known = new Map(configured.map((each) => [each.entry.name, each]));
      const next = entries.map((entry) => {
        const same = known.get(entry.name);
        return same !== undefined && isSame(same.entry, entry) ? same : { entry, fixed: fixedProvider(entry, outside) };
      });
      await registry.replaceFixed([...next.map(({ fixed }) => fixed), ...builtIn]);
      configured = next;
    };
    return { registry, replaceConfigured, closeDemo };
  } catch (error) {
    await closeDemo();
    throw error;
  }
}

export function configuredProxies({ httpsProxy, httpProxy, noProxy }: Config['upstream']): Proxies {
  return new Proxies({ https: httpsProxy?.reveal() ?? null, http: httpProxy?.reveal() ?? null, direct: noProxy });
}

/** Builds a provider from an entry of a checked configuration. */
export function fixedProvider(entry: ProviderConfig, outside?: Outside): FixedProvider {
  const kind = findProviderKind(entry.kind);
  assert(kind !== null, 'the configuration was checked: every kind exists');
  return {
    provider: configureProvider(withQuirks(kind, entry), entry, outside),
    source: entry.source,
    models: modelsOf(entry),
  };
}

/** Prices pinned in one turn of the event loop, about 1 ms: calls are served while a provider is added. */
const TURN_PRICES = 32;

async function pinInTurns(prices: PriceStore, targets: readonly PricedTarget[]): Promise<readonly PriceVersionId[]> {
  const versions: PriceVersionId[] = [];
  for (let at = 0; at < targets.length; at += TURN_PRICES) {
    if (at > 0) await nextTurn();
    versions.push(...(await prices.pin(targets.slice(at, at + TURN_PRICES))));
  }
  return versions;
}

function modelsOf({ name, kind, price, models }: ProviderConfig): readonly ConfiguredModel[] {
  return models.map((model) => ({
    ...model,
    quirks: configuredQuirks(model),
    prices: model.prices ?? (kind === CUSTOM ? price : null),
    provider: name,
  }));
}

/** Applies the operator's settings over the kind's quirks and sampling parameters. */
function withQuirks(kind: ProviderDeclaration, entry: ProviderConfig): ProviderDeclaration {
  const quirks = overlaidQuirks(kind.quirks, configuredQuirks(entry));
  return { ...kind, quirks, sampling: entry.sampling ?? kind.sampling };
}

/** The kind whose `price` applies to all of its models, including those in the catalogue. */
const CUSTOM = 'custom';

interface Demo {
  readonly provider: Provider;
  readonly models: readonly Model[];
  close(): Promise<void>;
}

/** Its code is loaded only here. It requires a credential, generated for this run, so that requests to it are signed like any other. */
async function openDemo(clock: Clock): Promise<Demo> {
  const { startDemoProvider } = await import('../demo/start-demo-provider.ts');
  const { demoModels } = await import('../demo/demo-models.ts');
  const credential = randomBytes(24).toString('base64url');
  const { origin, close } = await startDemoProvider({ clock, credential });
  const provider = configureProvider(providerKinds.demo, { name: 'demo', origin, credential: new Secret(credential) });
  return { provider, models: demoModels, close };
}
