/** Finds known models by their spellings and by their names at a kind of provider. */
import { ByPlace } from './by-place.ts';
import type { KnownModel } from './models.ts';

export class KnownIndex {
  readonly #bySpelling = new Map<string, KnownModel>();
  readonly #byTarget = new ByPlace<KnownModel>();

  private constructor(known: readonly KnownModel[]) {
    for (const model of known) {
      for (const alias of model.aliases ?? []) if (!this.#bySpelling.has(alias)) this.#bySpelling.set(alias, model);
      for (const { provider, upstreamModel } of model.targets) this.#byTarget.add(provider, upstreamModel, model);
    }
    // An id is never hidden by another model's spelling.
    for (const model of known) this.#bySpelling.set(model.id, model);
  }

  /** Made once for each list. */
  static of(known: readonly KnownModel[]): KnownIndex {
    let index = indexes.get(known);
    if (index === undefined) {
      index = new KnownIndex(known);
      indexes.set(known, index);
    }
    return index;
  }

  /** By its id or another spelling of it; null if there is none. */
  find(spelling: string): KnownModel | null {
    return this.#bySpelling.get(spelling) ?? null;
  }

  /** Those that a kind of provider serves under this name. */
  named(kind: string, upstreamModel: string): readonly KnownModel[] {
    return this.#byTarget.find(kind, upstreamModel);
  }
}

const indexes = new WeakMap<readonly KnownModel[], KnownIndex>();
