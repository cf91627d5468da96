/**
 * Data stored at the provider that a request names: a conversation, a prompt, a file. All accounts share the provider's credential, so without
 * a record of who stored what, none of it can be used. Earlier answers and their items are in `stored-references.ts`.
 *
 * https://platform.openai.com/docs/guides/conversation-state
 */
import { GatewayError } from '../../../core/errors.ts';
import type { WatchedField } from '../../../wire/json-document.ts';

/** Why it is not accepted, as the end of a sentence. */
export const STORED = "it gives access to data stored under the provider's credential, which all accounts share";
export const SEND_INPUT = 'Send the whole input instead.';

/** The last step of a path, and what its path must look like. */
const storedData: readonly { readonly key: string; readonly at: RegExp }[] = [
  { key: 'file_id', at: /^(?:input\[\]\.(?:content|output)(?:\[\])?\.file_id$|(?:input\[\]\.)?tools\[\]\.)/ },
  { key: 'file_ids', at: /^(?:input\[\]\.)?tools\[\]\./ },
  { key: 'vector_store_ids', at: /^(?:input\[\]\.)?tools\[\]\./ },
  { key: 'container_id', at: /^(?:input\[\]\.)?tools\[\]\./ },
  // A skill of a container, also of one that an earlier call ran in: https://platform.openai.com/docs/guides/tools-skills
  { key: 'skill_id', at: /^(?:(?:input\[\]\.)?tools\[\]|input\[\]\.environment)\./ },
  // A way into the operator's own network: https://platform.openai.com/docs/guides/tools-connectors-mcp
  { key: 'tunnel_id', at: /^(?:input\[\]\.)?tools\[\]\./ },
  // Azure: https://learn.microsoft.com/en-us/azure/ai-foundry/agents/how-to/tools/azure-ai-search
  { key: 'project_connection_id', at: /^(?:input\[\]\.)?tools\[\]\./ },
  // By its name; an object asks for a new one.
  { key: 'container', at: /^(?:input\[\]\.)?tools\[\]\.container$/ },
];
/** A tool's schema is the caller's own data: its properties may have any name. */
const SCHEMA = /\.(?:parameters|output_schema)\./;

/** The nested keys that the body scan must report. `id` is that of an item. */
export const storedDataKeys: readonly string[] = [...storedData.map(({ key }) => key), 'id'];

/** Throws 400 if this field names stored data. */
export function refuseStoredData(field: WatchedField): void {
  if (field.type === 'null' || (field.type === 'object' && field.path.endsWith('.container'))) return;
  for (const { key, at } of storedData) {
    if (!field.path.endsWith(`.${key}`) || !at.test(field.path) || SCHEMA.test(field.path)) continue;
    throw new GatewayError('field_not_allowed', {
      message: `The field "${key}" is not accepted by this gateway: ${STORED}. Send the content itself.`,
      param: field.path,
    });
  }
}

export function referenceRefused(param: string): GatewayError {
  return new GatewayError('field_not_allowed', {
    message: `"${param}" only refers to what another provider has stored, and this one does not have it. ${SEND_INPUT}`,
    param,
  });
}
