/** Patterns of model ids, as people write them in permissions and policies: a whole id, or its beginning and `*`. */

/** Whether the pattern has this id, as it is written. */
export function hasModel(pattern: string, modelId: string): boolean {
  return pattern.endsWith('*') ? modelId.startsWith(pattern.slice(0, -1)) : pattern === modelId;
}

/**
 * Whether the pattern may mean this id: catalogues spell versions with a dot or a dash (`claude-opus-4.5`, `claude-opus-4-5`), and a request
 * may use either. For what keeps a model from a caller, or from a provider, and must not fail for a spelling.
 */
export function mayMeanModel(pattern: string, modelId: string): boolean {
  return hasModel(folded(pattern), folded(modelId));
}

function folded(text: string): string {
  return text.includes('.') ? text.replaceAll('.', '-') : text;
}
