/** What generateContent refuses of a conversation. https://ai.google.dev/api/caching#Content */
import { isSigned, sign } from './strict-commands.ts';
import { isObject, type JsonObject, listOf, Refusal } from './strict-server.ts';

const KINDS = [
  ...['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse', 'executableCode', 'codeExecutionResult'],
];
const PART_FIELDS = [...KINDS, 'thought', 'thoughtSignature', 'videoMetadata', 'mediaResolution'];
/** The value that Google documents for calls that another model made: https://ai.google.dev/gemini-api/docs/thought-signatures */
const DUMMY = 'skip_thought_signature_validator';
const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

export function checkContents(contents: unknown, model: string): void {
  const list = listOf(contents);
  if (list.length === 0) throw refused('* GenerateContentRequest.contents: contents is not specified');
  list.forEach((content, index) => {
    checkContent(content, `contents[${index}]`);
  });
  const turns = joined(list);
  checkCallPairs(turns);
  if (model.startsWith('gemini-3')) checkSignatures(turns);
}

/** Adjacent contents of one role are one turn: clients keep a content for each event of a stream. */
function joined(contents: readonly JsonObject[]): readonly JsonObject[] {
  const turns: { role: unknown; parts: JsonObject[] }[] = [];
  for (const { role = 'user', parts } of contents) {
    const last = turns.at(-1);
    if (last !== undefined && last.role === role) last.parts.push(...listOf(parts));
    else turns.push({ role, parts: [...listOf(parts)] });
  }
  return turns;
}

function checkContent(content: JsonObject, at: string): void {
  allow(content, ['role', 'parts'], at);
  const { role } = content;
  if (role !== undefined && role !== 'user' && role !== 'model') throw refused(`Please use a valid role: user, model.`);
  const parts = listOf(content['parts']);
  if (parts.length === 0) throw refused(`* GenerateContentRequest.${at}.parts: must not be empty`);
  parts.forEach((part, index) => {
    checkPart(part, `${at}.parts[${index}]`);
  });
}

function checkPart(part: JsonObject, at: string): void {
  allow(part, PART_FIELDS, at);
  const kinds = KINDS.filter((kind) => part[kind] !== undefined);
  if (kinds.length > 1) throw refused(`Invalid value at '${at}' (oneof), oneof field 'data' is already set.`);
  const [kind] = kinds;
  if (kind === undefined && part['thoughtSignature'] === undefined)
    throw refused(`* GenerateContentRequest.${at}.data: required oneof field 'data' must have one initialized field`);
  const value = kind === undefined ? undefined : part[kind];
  switch (kind) {
    case 'text':
      if (typeof value !== 'string') throw refused(`Invalid value at '${at}.text'`);
      return;
    case 'inlineData': {
      const { mimeType, data } = fieldsOf(value, ['mimeType', 'data', 'displayName'], `${at}.inline_data`);
      if (!/^[a-z]+\/[a-z0-9.+-]+$/.test(String(mimeType))) throw refused('Unsupported MIME type');
      if (!/^[A-Za-z0-9+/]+=*$/.test(String(data))) throw refused(`Invalid value at '${at}.inline_data.data'`);
      return;
    }
    case 'fileData': {
      const { fileUri } = fieldsOf(value, ['mimeType', 'fileUri', 'displayName'], `${at}.file_data`);
      if (typeof fileUri !== 'string') throw refused(`Invalid value at '${at}.file_data.file_uri'`);
      return;
    }
    case 'functionCall': {
      const { name, args } = fieldsOf(value, ['id', 'name', 'args'], `${at}.function_call`);
      if (!NAME.test(String(name))) throw refused(`Invalid value at '${at}.function_call.name'`);
      if (args !== undefined && !isObject(args)) throw refused(`Invalid value at '${at}.function_call.args' (Struct)`);
      return;
    }
    case 'functionResponse': {
      const fields = ['id', 'name', 'response', 'parts', 'willContinue', 'scheduling'];
      const { name, response } = fieldsOf(value, fields, `${at}.function_response`);
      if (typeof name !== 'string' || name === '')
        throw refused(`* GenerateContentRequest.${at}.function_response.name: Name cannot be empty.`);
      if (!isObject(response)) throw refused(`Invalid value at '${at}.function_response.response' (Struct)`);
    }
  }
}

/** The turn after one with calls answers each of them, by name, and has nothing else before the answers. */
function checkCallPairs(contents: readonly JsonObject[]): void {
  contents.forEach((content, index) => {
    const names = callsOf(content).map(({ name }) => String(name));
    const before = index === 0 ? [] : callsOf(contents[index - 1]).map(({ name }) => String(name));
    const responses = listOf(content['parts']).flatMap(({ functionResponse: one }) => (isObject(one) ? [one] : []));
    const answered = responses.map(({ name }) => String(name));
    if (answered.length > 0 && content['role'] !== 'user') throw refused('Please use a valid role: user.');
    if (answered.toSorted().join() !== before.toSorted().join())
      throw refused(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      );
    if (names.length > 0 && (content['role'] !== 'model' || contents[index - 1]?.['role'] === 'model'))
      throw refused(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      );
  });
}

/** Since the last text of a user, the first call of each step has the signature that it was made with. */
function checkSignatures(contents: readonly JsonObject[]): void {
  const question = contents.findLastIndex(isQuestion);
  contents.forEach((content, index) => {
    const parts = listOf(content['parts']);
    for (const { functionCall: call, thoughtSignature: signature } of parts) {
      if (signature === undefined || signature === DUMMY) continue;
      // A text's signature does not cover it: a stream brings it later, on an empty part.
      if (!isSigned(isObject(call) ? callText(call) : '', fromBase64(signature)))
        throw refused('Thought signature is not valid.');
    }
    const first = parts.find(({ functionCall: call }) => isObject(call));
    if (index <= question || first === undefined || first['thoughtSignature'] !== undefined) return;
    const { name } = first['functionCall'] as JsonObject;
    throw refused(
      `Function call is missing a thought_signature in functionCall parts. Function call \`default_api:${String(name)}\`, position ${index + 1}.`,
    );
  });
}

/** A signature is bytes. */
export function signatureOf(text: string): string {
  return Buffer.from(sign(text)).toString('base64');
}

function fromBase64(signature: unknown): string {
  return Buffer.from(String(signature), 'base64').toString();
}

/** What a signature on a call covers. */
export function callText({ name, args }: JsonObject): string {
  return `${String(name)} ${JSON.stringify(args ?? {})}`;
}

function callsOf(content: JsonObject | undefined): readonly JsonObject[] {
  return listOf(content?.['parts']).flatMap(({ functionCall: call }) => (isObject(call) ? [call] : []));
}

function isQuestion({ role, parts }: JsonObject): boolean {
  return role !== 'model' && listOf(parts).some(({ text }) => typeof text === 'string' && text !== '');
}

/** The last line of the last user turn with text, and the turns after it. */
export function commandOf(contents: readonly JsonObject[]): { command: string; since: readonly JsonObject[] } {
  const at = contents.findLastIndex(isQuestion);
  const texts = listOf(contents[at]?.['parts']).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return { command: texts.join('\n').split('\n').at(-1) ?? '', since: contents.slice(at + 1) };
}

/** The text of a function's result: its only value, if it has one only. */
export function resultOf({ functionResponse: one }: JsonObject): readonly string[] {
  if (!isObject(one)) return [];
  const response = isObject(one['response']) ? one['response'] : {};
  const values = Object.values(response);
  return [values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(response)];
}

function fieldsOf(value: unknown, names: readonly string[], at: string): JsonObject {
  if (!isObject(value)) throw refused(`Invalid value at '${at}'`);
  allow(value, names, at);
  return value;
}

export function allow(value: JsonObject, names: readonly string[], at: string): void {
  // Both spellings are read: https://protobuf.dev/programming-guides/json/
  const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const stranger = Object.keys(value).find((name) => !names.includes(camel(name)));
  if (stranger !== undefined)
    throw refused(`Invalid JSON payload received. Unknown name "${stranger}" at '${at}': Cannot find field.`);
}

export function refused(message: string): Refusal {
  return new Refusal(400, message);
}
