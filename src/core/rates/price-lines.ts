/** What has a price of its own: per token, per use, or per call (`request`). `PriceLines` of the catalogue says what each is. */
export const PRICE_LINES = [
  ...(['input', 'output', 'cacheRead', 'cacheWrite', 'cacheWrite1h', 'inputAudio', 'outputAudio'] as const),
  ...(['cacheReadAudio', 'inputImage', 'outputImage', 'reasoning', 'image', 'request'] as const),
  ...(['webSearch', 'fileSearch', 'codeInterpreter'] as const),
] as const;
export type PriceLine = (typeof PRICE_LINES)[number];
