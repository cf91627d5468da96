/**
 * Models that OpenAI serves in only one of its formats. The catalogue says it of those that it has; names decide about newer ones:
 * https://platform.openai.com/docs/models
 */

/** Sound in and out, and the models that search with every call. */
export function isChatOnly(model: string): boolean {
  return CHAT_ONLY.test(model);
}

/** Models for coding, for research, and the ones that think longest. */
export function isResponsesOnly(model: string): boolean {
  return RESPONSES_ONLY.test(model);
}

/**
 * Models that cost more where they are processed in one region: those since GPT-5.4. A name that says no generation may be one of them.
 * https://platform.openai.com/docs/pricing
 */
export function isRegional(model: string): boolean {
  return !BEFORE_REGIONS.test(model);
}

const CHAT_ONLY = /^gpt-(?:audio\b|[\w.-]{0,40}-audio\b|[\w.-]{0,40}-search-(?:preview|api)\b)/;
const RESPONSES_ONLY =
  /^(?:o\d[\w.]{0,9}-pro\b|gpt-[\d.]{1,9}-pro\b|gpt-[\w.]{1,20}-codex\b|codex-|[\w.-]{1,40}-deep-research\b|computer-use-)/;
const BEFORE_REGIONS = /^(ft:)?(chatgpt-|codex-|o\d|gpt-(3\.5|4|4o|4\.\d|5|5\.[0-3]|audio)(?![.\d]))/;
