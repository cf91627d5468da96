/** Counts the uses of the provider's own tools among the items of an answer: https://platform.openai.com/docs/pricing#built-in-tools */
import { asObject, asText, type JsonObject } from '../../../core/json-object.ts';
import type { Usage } from '../../../core/usage.ts';

export class ToolUses {
  #webSearches = 0;
  #fileSearches = 0;
  #codeCalls = 0;
  readonly #containers = new Set<string>();

  see(item: JsonObject): void {
    switch (item['type']) {
      case 'web_search_call':
        if (isSearch(item)) this.#webSearches += 1;
        break;
      case 'file_search_call':
        this.#fileSearches += 1;
        break;
      case 'code_interpreter_call': {
        const container = asText(item['container_id'])?.slice(0, ID_LENGTH_MAX);
        // Without its name, each may have been a container of its own.
        if (container === undefined) this.#codeCalls += 1;
        else this.#containers.add(container);
        break;
      }
    }
  }

  get counts(): Pick<Usage, 'webSearches' | 'fileSearches' | 'codeContainers'> {
    return {
      webSearches: this.#webSearches,
      fileSearches: this.#fileSearches,
      codeContainers: this.#codeCalls + this.#containers.size,
    };
  }
}

const ID_LENGTH_MAX = 256;

/** Opening a page that was found is no search. https://platform.openai.com/docs/guides/tools-web-search */
function isSearch(item: JsonObject): boolean {
  const action = asObject(item['action'])?.['type'];
  return action === undefined || action === 'search';
}
