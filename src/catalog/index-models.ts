import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Catalog, Model } from './model.ts';

export interface IndexedModel {
  readonly model: Model;
  /** Other spellings of its id. */
  readonly aliases: readonly string[];
}

/** Models that are added before others run: about a millisecond. */
const TURN_MODELS = 500;

/** A catalogue of these models, for lookup by id, by another spelling and by bare name. */
export function indexModels(entries: readonly IndexedModel[]): Catalog {
  const index = new ModelIndex();
  for (const entry of entries) index.add(entry);
  return index.catalog();
}

/** The same in turns of the event loop. */
export async function indexInTurns(entries: readonly IndexedModel[]): Promise<Catalog> {
  const index = new ModelIndex();
  for (const [at, entry] of entries.entries()) {
    index.add(entry);
    if (at % TURN_MODELS === TURN_MODELS - 1) await nextTurn();
  }
  return index.catalog();
}

class ModelIndex {
  readonly #byId = new Map<string, Model>();
  readonly #byName = new Map<string, Model[]>();
  readonly #models: Model[] = [];

  add({ model, aliases }: IndexedModel): void {
    this.#models.push(model);
    for (const alias of aliases) if (!this.#byId.has(alias)) this.#byId.set(alias, model);
    for (const spelling of [model.id, ...aliases]) this.#addNames(spelling, model);
  }

  catalog(): Catalog {
    const [byId, byName] = [this.#byId, this.#byName];
    const all = this.#models.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    // An id is never hidden by another model's alias.
    for (const model of all) byId.set(model.id, model);
    return {
      get: (id) => byId.get(id),
      named: (name) => byName.get(name) ?? [],
      all: () => all,
    };
  }

  /** `lab/meta/llama-3` ends in `/meta/llama-3` and in `/llama-3`. */
  #addNames(id: string, model: Model): void {
    for (let slash = id.indexOf('/'); slash !== -1; slash = id.indexOf('/', slash + 1)) {
      const name = id.slice(slash + 1);
      const models = this.#byName.get(name);
      if (models === undefined) this.#byName.set(name, [model]);
      // The spellings of a model are added one after the other.
      else if (models.at(-1) !== model) models.push(model);
    }
  }
}
