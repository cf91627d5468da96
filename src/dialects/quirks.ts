/** Quirks of all dialects together: what was said of a provider or a model, by dialect. */
import { type DeclaredQuirks, type ProviderDialectName, providerDialects } from './index.ts';
import type { QuirkOptions } from './interface/quirk-options.ts';

/** What operators said in the configuration. */
export function configuredQuirks(options: QuirkOptions): DeclaredQuirks {
  return byDialect((dialect) => dialect.readQuirkOptions?.(options));
}

/** What a model's name at a provider says of it. */
export function quirksOfModel(upstreamModel: string): DeclaredQuirks {
  return byDialect((dialect) => dialect.quirksOfModel?.(upstreamModel));
}

/** What `over` says is taken before what `under` says. */
export function overlaidQuirks(under: DeclaredQuirks, over: DeclaredQuirks): DeclaredQuirks {
  return byDialect(({ name }) => ({ ...under[name], ...over[name] }));
}

/** Dialects of which nothing is said are left out. */
function byDialect(
  said: (dialect: (typeof providerDialects)[ProviderDialectName]) => object | undefined,
): DeclaredQuirks {
  const all: Record<string, object> = {};
  for (const dialect of Object.values(providerDialects)) {
    const quirks = said(dialect) ?? {};
    if (Object.keys(quirks).length > 0) all[dialect.name] = quirks;
  }
  // Each is what its own dialect said of itself.
  return all as DeclaredQuirks;
}
