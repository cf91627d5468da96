/**
 * Models that OpenAI serves in only one of its formats, recognised by their names, since no list of models says it:
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

const CHAT_ONLY = /^gpt-(?:audio\b|[\w.-]{0,40}-audio\b|[\w.-]{0,40}-search-(?:preview|api)\b)/;
const RESPONSES_ONLY =
  /^(?:o\d[\w.]{0,9}-pro\b|gpt-[\d.]{1,9}-pro\b|gpt-[\w.]{1,20}-codex\b|codex-|[\w.-]{1,40}-deep-research\b|computer-use-)/;
