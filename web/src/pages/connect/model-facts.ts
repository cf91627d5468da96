import type { CatalogModel } from '../../api/types.ts';

export interface ModelFacts {
  /** Tokens; null where nobody knows. */
  readonly context: number | null;
  readonly outputCap: number | null;
  readonly hasTools: boolean;
  readonly readsImages: boolean;
  readonly writesText: boolean;
  /** What it makes: `text`, `embeddings`, `rerank`, `moderation`, … */
  readonly outputs: readonly string[];
}

export function factsOf(model: CatalogModel): ModelFacts {
  return {
    context: model.context_length,
    outputCap: model.output_cap,
    hasTools: model.supported_parameters.includes('tools'),
    readsImages: model.input_modalities.includes('image'),
    writesText: writesText(model),
    outputs: model.output_modalities,
  };
}

/** A model of which that is not known is one for conversations. */
export function writesText({ output_modalities: outputs }: Pick<CatalogModel, 'output_modalities'>): boolean {
  return outputs.length === 0 || outputs.includes('text');
}
