/** What Responses refuses of the items of a conversation. https://platform.openai.com/docs/api-reference/responses/create */
import { isSigned, sign } from './strict-commands.ts';
import { refused } from './strict-openai-messages.ts';
import { isObject, type JsonObject, listOf } from './strict-server.ts';

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const ID_LENGTH_MAX = 64;
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  message: ['id', 'role', 'content', 'status', 'phase'],
  function_call: ['id', 'call_id', 'name', 'arguments', 'status'],
  function_call_output: ['id', 'call_id', 'output', 'status'],
  custom_tool_call: ['id', 'call_id', 'name', 'input', 'status'],
  custom_tool_call_output: ['id', 'call_id', 'output'],
  reasoning: ['id', 'summary', 'content', 'encrypted_content', 'status'],
};
const PARTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  input: {
    input_text: ['text'],
    input_image: ['image_url', 'file_id', 'detail'],
    input_file: ['filename', 'file_data', 'file_url', 'file_id', 'detail'],
  },
  assistant: { output_text: ['text', 'annotations', 'logprobs'], refusal: ['refusal'] },
};

/** The input as items. */
export function inputOf({ input }: JsonObject): readonly JsonObject[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input);
}

export function checkInput(body: JsonObject): void {
  const { input } = body;
  if (input === undefined || (Array.isArray(input) && input.length === 0))
    throw refused("Missing required parameter: 'input'.", 'input');
  const items = inputOf(body);
  items.forEach((item, index) => {
    checkItem(item, `input[${index}]`, vendorOf(body['model']));
  });
  checkPairs(items);
  checkThoughts(items);
}

/** The opaque value of a thought, which is bound to its id and to its vendor. */
export function encrypt(id: string, text: string, { model }: JsonObject): string {
  return `${vendorOf(model)}${id}.${sign(`${id} ${text}`)}`;
}

/** What the opaque values of its thoughts begin with. */
function vendorOf(model: unknown): string {
  return String(model).endsWith('-other') ? 'other:' : '';
}

function checkItem(item: JsonObject, at: string, vendor: string): void {
  const type = String(item['type'] ?? 'message');
  const fields = FIELDS[type];
  if (fields === undefined) throw refused(`Invalid value: '${type}'.`, at, 'invalid_value');
  allow(item, ['type', ...fields], at);
  if (type === 'message') return checkMessage(item, at);
  if (type === 'reasoning') return checkThought(item, at, vendor);
  const id = item['call_id'];
  if (typeof id !== 'string' || id === '') throw refused(`Missing required parameter: '${at}.call_id'.`, at);
  if (id.length > ID_LENGTH_MAX)
    throw refused(`Invalid '${at}.call_id': string too long. Expected a string with maximum length 64.`, at);
  if (type.endsWith('_output')) {
    const { output } = item;
    if (typeof output !== 'string') checkParts(output, `${at}.output`, 'input');
    return;
  }
  if (!NAME.test(String(item['name']))) throw refused(`Invalid '${at}.name'.`, `${at}.name`, 'invalid_value');
  const said = item[type === 'function_call' ? 'arguments' : 'input'];
  if (typeof said !== 'string') throw refused(`Invalid '${at}'`, at);
}

function checkMessage(item: JsonObject, at: string): void {
  const { role, content } = item;
  if (!['user', 'assistant', 'system', 'developer'].includes(String(role)))
    throw refused(`Invalid value: '${String(role)}'.`, `${at}.role`, 'invalid_value');
  if (typeof content === 'string') {
    if (content.trim() === '') throw refused(`Invalid '${at}.content': it is empty.`, at);
  } else checkParts(content, `${at}.content`, role === 'assistant' ? 'assistant' : 'input');
}

function checkParts(parts: unknown, at: string, whose: 'input' | 'assistant'): void {
  if (!Array.isArray(parts) || parts.length === 0) throw refused(`Invalid '${at}': empty array.`, at, 'empty_array');
  listOf(parts).forEach((part, index) => {
    const type = String(part['type']);
    const fields = PARTS[whose]?.[type];
    if (fields === undefined) throw refused(`Invalid value: '${type}'.`, `${at}[${index}].type`, 'invalid_value');
    allow(part, ['type', ...fields], `${at}[${index}]`);
    checkPart(part, type, `${at}[${index}]`);
  });
}

function checkPart(part: JsonObject, type: string, at: string): void {
  const { text, image_url: url, file_data: data, file_url: address, filename } = part;
  if (type === 'input_text' || type === 'output_text') {
    if (typeof text !== 'string' || text.trim() === '') throw refused(`Invalid '${at}.text': it is empty.`, at);
  } else if (type === 'input_image') {
    if (/^https:\/\/\S+$|^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/.test(String(url))) return;
    throw refused('Invalid image URL.', `${at}.image_url`, 'invalid_image_url');
  } else if (type === 'input_file') {
    if (address !== undefined && (data !== undefined || filename !== undefined))
      throw refused(`Mutually exclusive parameters: '${at}'. Only one of 'file_url' and 'filename' may be set.`, at);
    if (address !== undefined) return;
    if (typeof filename !== 'string') throw refused(`Missing required parameter: '${at}.filename'.`, at);
    if (!/^data:application\/pdf;base64,[A-Za-z0-9+/]+=*$/.test(String(data)))
      throw refused('Invalid file data.', `${at}.file_data`, 'invalid_value');
  }
}

/** Without stored answers, only what was encrypted here is taken back, under its own id. */
function checkThought({ id, summary, encrypted_content: encrypted }: JsonObject, at: string, vendor: string): void {
  if (!Array.isArray(summary)) throw refused(`Missing required parameter: '${at}.summary'.`, at);
  if (typeof encrypted !== 'string')
    throw refused(
      `Item with id '${String(id)}' not found. Items are not persisted when \`store\` is set to false.`,
      'input',
    );
  const [of, signature] = encrypted.slice(vendor.length).split('.');
  if (encrypted.startsWith(vendor) && (id === undefined || id === of) && isSigned('', signature)) return;
  throw refused(
    `The encrypted content for item ${String(id)} could not be verified.`,
    undefined,
    'invalid_encrypted_content',
  );
}

/** Each call has a result after it, and each result a call before it. */
function checkPairs(items: readonly JsonObject[]): void {
  const open = new Map<unknown, unknown>();
  const outputs = new Set(items.filter(({ type }) => /_output$/.test(String(type))).map(({ call_id: id }) => id));
  for (const { type, call_id: id } of items) {
    if (type === 'function_call' || type === 'custom_tool_call') {
      if (!outputs.has(id)) throw refused(`No tool output found for function call ${String(id)}.`, 'input');
      open.set(id, `${type}_output`);
    } else if (/_output$/.test(String(type))) {
      if (open.get(id) !== type)
        throw refused(`No tool call found for function call output with call_id ${String(id)}.`, 'input');
      open.delete(id);
    }
  }
}

/** A thought belongs to the item after it. */
function checkThoughts(items: readonly JsonObject[]): void {
  items.forEach((item, index) => {
    if (item['type'] !== 'reasoning') return;
    const next = items[index + 1];
    const isFollowed =
      next !== undefined &&
      (next['role'] === 'assistant' || /^(function_call|custom_tool_call|reasoning)$/.test(String(next['type'])));
    if (!isFollowed)
      throw refused(
        `Item '${String(item['id'])}' of type 'reasoning' was provided without its required following item.`,
        'input',
      );
  });
}

export function allow(value: unknown, names: readonly string[], at: string): void {
  const stranger = isObject(value) ? Object.keys(value).find((name) => !names.includes(name)) : undefined;
  if (stranger !== undefined)
    throw refused(`Unknown parameter: '${at}.${stranger}'.`, `${at}.${stranger}`, 'unknown_parameter');
}
