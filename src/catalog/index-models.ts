import type { Catalog, Model } from './model.ts';

/** A catalogue of these models, for lookup by id, by another spelling and by bare name. */
export function indexModels(
  entries: readonly { readonly model: Model; readonly aliases: readonly string[] }[],
): Catalog {
  const byId = new Map<string, Model>();
  const byName = new Map<string, Model[]>();
  const all = entries.map(({ model }) => model).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (const { model, aliases } of entries) {
    // An id is never hidden by another model's alias.
    for (const alias of aliases) if (!byId.has(alias)) byId.set(alias, model);
    for (const spelling of [model.id, ...aliases]) addNames(byName, spelling, model);
  }
  for (const model of all) byId.set(model.id, model);
  return {
    get: (id) => byId.get(id),
    named: (name) => byName.get(name) ?? [],
    all: () => all,
  };
}

/** `lab/meta/llama-3` ends in `/meta/llama-3` and in `/llama-3`. */
function addNames(byName: Map<string, Model[]>, id: string, model: Model): void {
  for (let slash = id.indexOf('/'); slash !== -1; slash = id.indexOf('/', slash + 1)) {
    const name = id.slice(slash + 1);
    const models = byName.get(name);
    if (models === undefined) byName.set(name, [model]);
    else if (!models.includes(model)) models.push(model);
  }
}
