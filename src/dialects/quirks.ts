/** Quirks of a provider or a model in all dialects. */
import { type DeclaredQuirks, type ProviderDialectName, providerDialects } from './index.ts';
import type { QuirkOptions } from './interface/quirk-options.ts';

/** The quirks in the configuration. */
export function configuredQuirks(options: QuirkOptions): DeclaredQuirks {
  return byDialect((dialect) => dialect.readQuirkOptions?.(options));
}

/** The quirks known from a model's name at a provider. */
export function quirksOfModel(upstreamModel: string): DeclaredQuirks {
  return byDialect((dialect) => dialect.quirksOfModel?.(upstreamModel));
}

/** `over` takes precedence over `under`. */
export function overlaidQuirks(under: DeclaredQuirks, over: DeclaredQuirks): DeclaredQuirks {
  return byDialect(({ name }) => ({ ...under[name], ...over[name] }));
}

/** Dialects without quirks are left out. */
function byDialect(
  quirksIn: (dialect: (typeof providerDialects)[ProviderDialectName]) => object | undefined,
): DeclaredQuirks {
  const all: Record<string, object> = {};
  for (const dialect of Object.values(providerDialects)) {
    const quirks = quirksIn(dialect) ?? {};
    if (Object.keys(quirks).length > 0) all[dialect.name] = quirks;
  }
  // Each has the type that its own dialect returned.
  return all as DeclaredQuirks;
}
