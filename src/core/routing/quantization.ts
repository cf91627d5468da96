/** How exactly a model's weights are kept, in OpenRouter's words: https://openrouter.ai/docs/guides/routing/provider-selection */

// biome-ignore format: one line
export const QUANTIZATIONS = ['int4', 'int8', 'fp4', 'mxfp4', 'nvfp4', 'fp6', 'fp8', 'mxfp8', 'fp16', 'bf16', 'fp32', 'unknown'] as const;
export type Quantization = (typeof QUANTIZATIONS)[number];

/** Whether weights kept as `kept` are what somebody who asks for `asked` accepts: `fp4` and `fp8` include their block formats. */
export function isQuantizedAs(kept: Quantization, asked: Quantization): boolean {
  return kept === asked || INCLUDED[kept] === asked;
}

const INCLUDED: { readonly [kept in Quantization]?: Quantization } = { mxfp4: 'fp4', nvfp4: 'fp4', mxfp8: 'fp8' };
