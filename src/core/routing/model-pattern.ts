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
  const isBeginning = pattern.endsWith('*');
  const length = isBeginning ? pattern.length - 1 : pattern.length;
  if (isBeginning ? modelId.length < length : modelId.length !== length) return false;
  // Lists of models are compared with lists of patterns, and nearly all pairs differ at once.
  for (let at = 0; at < length; at += 1)
    if (folded(pattern.charCodeAt(at)) !== folded(modelId.charCodeAt(at))) return false;
  return true;
}

function folded(character: number): number {
  return character === DOT ? DASH : character;
}

const DOT = 0x2e;
const DASH = 0x2d;
