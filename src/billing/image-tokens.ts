/**
 * The most tokens that one image can take, by the model's name at the provider. An image's size in bytes does not bound that:
 * a page of one colour has a hundred bytes. An unknown name may be any model, so it gets the largest.
 */
const NAMES: readonly (readonly [name: RegExp, tokens: number])[] = [
  // 2,833 and 5,667 for each of up to 8 tiles: a small model at the image price of the large one.
  // https://platform.openai.com/docs/guides/images-vision#calculating-costs
  [/gpt-4o-mini/, 2_833 + 8 * 5_667],
  // 4,784 at the highest resolution of the newest, about 1,600 at that of the others.
  // https://platform.claude.com/docs/en/build-with-claude/vision
  [/claude/, 5_000],
  // 258 for each of up to 24 tiles of at least 256 pixels, of an image of up to 3,072; 2,240 at most where a resolution is chosen.
  // https://ai.google.dev/gemini-api/docs/image-understanding
  [/gemini/, 8_000],
  // 1,536 patches × 2.46 on the small models, 10,000 patches on those that take an image as it is.
  // https://platform.openai.com/docs/guides/images-vision#calculating-costs
  [/^(openai\/)?(gpt-|chatgpt-|o\d)/, 16_384],
];

const UNKNOWN = 2_833 + 8 * 5_667;

export function imageTokens(upstreamModel: string): number {
  for (const [name, tokens] of NAMES) if (name.test(upstreamModel)) return tokens;
  return UNKNOWN;
}
