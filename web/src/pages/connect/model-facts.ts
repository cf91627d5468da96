import type { CatalogModel } from '../../api/types.ts';

export interface ModelFacts {
  /** Tokens; null where nobody knows. */
  readonly context: number | null;
  readonly outputCap: number | null;
  readonly hasTools: boolean;
  readonly readsImages: boolean;
}

export function factsOf(model: CatalogModel): ModelFacts {
  return {
    context: model.context_length,
    outputCap: model.output_cap,
    hasTools: model.supported_parameters.includes('tools'),
    readsImages: model.input_modalities.includes('image'),
  };
}
