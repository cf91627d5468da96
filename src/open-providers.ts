/** From the configuration to providers, and what they serve: the demo's server is started here too. */
import { randomBytes } from 'node:crypto';
import type { PriceStore } from './billing/ports.ts';
import type { Catalog } from './catalog/model.ts';
import { openCatalog } from './catalog/open-catalog.ts';
import type { ProviderConfig } from './config/providers.ts';
import type { Config } from './config.ts';
import { assert } from './core/assert.ts';
import type { Clock } from './core/clock.ts';
import { Secret } from './core/secret.ts';
import { demoModels } from './demo/demo-models.ts';
import { startDemoProvider } from './demo/start-demo-provider.ts';
import { configureProvider } from './providers/configure.ts';
import { findProviderKind, providerKinds } from './providers/index.ts';
import type { Provider, ProviderDeclaration } from './providers/provider.ts';

export interface OpenProviders {
  /** By name, in the order configured; the demo last. */
  readonly providers: ReadonlyMap<string, Provider>;
  readonly catalog: Catalog;
  closeDemo(): Promise<void>;
}

export async function openProviders(config: Config, prices: PriceStore, clock: Clock): Promise<OpenProviders> {
  const configured = config.providers.map((provider) => {
    const kind = findProviderKind(provider.kind);
    assert(kind !== null, 'the configuration was checked: every kind exists');
    return configureProvider(withHabits(kind, provider), provider);
  });
  const demo = config.demo ? await openDemo(clock) : null;
  const all = demo === null ? configured : [...configured, demo.provider];
  const catalog = await openCatalog({
    providers: all,
    configuredModels: config.providers.flatMap(({ name, kind, price, models }) =>
      models.map((model) => ({ ...model, prices: model.prices ?? (kind === CUSTOM ? price : null), provider: name })),
    ),
    wholeModels: demo === null ? [] : demoModels,
    pin: (targets) => prices.pin(targets),
  });
  return {
    providers: new Map(all.map((provider) => [provider.name, provider])),
    catalog,
    closeDemo: async () => demo?.close(),
  };
}

/** A server of any kind takes thoughts back as its operator says. */
function withHabits(kind: ProviderDeclaration, { reasoningBack }: ProviderConfig): ProviderDeclaration {
  return reasoningBack === null ? kind : { ...kind, habits: { ...kind.habits, reasoningBack } };
}

/** Whose models cost what is written for them: `price: free` there is said of known models, too. */
const CUSTOM = 'custom';

/** The demo takes one credential, made for this run, so that the whole signing path is in use. */
async function openDemo(clock: Clock): Promise<{ provider: Provider; close(): Promise<void> }> {
  const credential = randomBytes(24).toString('base64url');
  const { origin, close } = await startDemoProvider({ clock, credential });
  const provider = configureProvider(providerKinds.demo, { name: 'demo', origin, credential: new Secret(credential) });
  return { provider, close };
}
