/** Names of models and providers as JSON text, cached: the same few are written into every request and every answer. */

export interface ModelJson {
  readonly bytes: Buffer;
  /** The same bytes, one character each. */
  readonly text: string;
}

export function modelJson(model: string): ModelJson {
  const known = kept.get(model);
  if (known !== undefined) return known;
  const bytes = Buffer.from(JSON.stringify(model));
  const made = { bytes, text: bytes.toString('latin1') };
  // Callers choose these names: made-up ones only make the gateway write them again.
  if (kept.size === KEPT_MAX) kept.clear();
  kept.set(model, made);
  return made;
}

/** `provider` after another field, as in OpenRouter's answers; one character per byte. */
export function providerField(provider: string): string {
  return `,"provider":${modelJson(provider).text}`;
}

const kept = new Map<string, ModelJson>();
const KEPT_MAX = 512;
