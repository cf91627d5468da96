/** What the tables call models of other vendors at clouds. */

export const CLOUDS: ReadonlySet<string> = new Set(['bedrock', 'vertex']);

/** The name at the cloud in a table's entry; null for entries that are no name to call: a region's prices, another spelling. */
export function nameAtCloud(provider: string, name: string): string | null {
  if (provider === 'bedrock')
    return /^(?:[a-z-]+\.)?[a-z0-9]+\.[^/@]+$/.test(name) && !name.startsWith('claude') ? name : null;
  return name.replace(/^vertex_ai\//, '').replace(/@default$/, '');
}
