/** The same simple requests in the format of every caller, so that a rule can be tested for all of them. */
import type { CallerDialectName } from '../../src/dialects/index.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface PlainFormat {
  /** A conversation of these texts, the user first. */
  turns(texts: readonly string[]): Fields;
  /** Where the refusal of an empty last turn points, of three. */
  readonly emptyTurn: string;
  tools(names: readonly string[]): Fields;
  /** Where the refusal of a repeated name points, of the third tool. */
  readonly repeatedName: string;
  /** A call is required: of any tool, or of the named one. */
  required(name?: string): Fields;
  /** Undefined if the format has no stop sequences, penalties, or descriptions of a schema. */
  readonly stop?: (sequences: readonly string[]) => Fields;
  readonly penalties?: (penalty: number) => Fields;
  /** An answer that follows a schema; the format says whether it must. */
  schema(schema: object, strict: boolean, description?: string): Fields;
  readonly takesDescription: boolean;
  /** Where a field that nobody knows is put, and what a warning calls it. */
  readonly unknown: readonly (readonly [place: string, fields: Fields])[];
}

const role = (index: number) => (index % 2 === 0 ? 'user' : 'assistant');
const UNKNOWN = { tide: 1 };

export const plainFormats: { readonly [Name in CallerDialectName]: PlainFormat } = {
  'openai-chat': {
    turns: (texts) => ({ messages: texts.map((content, index) => ({ role: role(index), content })) }),
    emptyTurn: 'messages[2].content',
    tools: (names) => ({ tools: names.map((name) => ({ type: 'function', function: { name } })) }),
    repeatedName: 'tools[2]',
    required: (name) => ({ tool_choice: name === undefined ? 'required' : { type: 'function', function: { name } } }),
    stop: (stop) => ({ stop }),
    penalties: (penalty) => ({ frequency_penalty: penalty, presence_penalty: penalty }),
    schema: (schema, strict, description) => ({
      response_format: { type: 'json_schema', json_schema: { name: 'x', strict, schema, description } },
    }),
    takesDescription: true,
    unknown: [
      ['messages[].tide', { messages: [{ role: 'user', content: 'hi', ...UNKNOWN }] }],
      [
        'messages[].content[].tide',
        { messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', ...UNKNOWN }] }] },
      ],
      ['tools[].tide', { tools: [{ type: 'function', function: { name: 'f' }, ...UNKNOWN }] }],
      ['tools[].function.tide', { tools: [{ type: 'function', function: { name: 'f', ...UNKNOWN } }] }],
    ],
  },
  'anthropic-messages': {
    turns: (texts) => ({ messages: texts.map((content, index) => ({ role: role(index), content })) }),
    emptyTurn: 'messages[2].content',
    tools: (names) => ({ tools: names.map((name) => ({ name, input_schema: { type: 'object', properties: {} } })) }),
    repeatedName: 'tools[2].name',
    required: (name) => ({ tool_choice: name === undefined ? { type: 'any' } : { type: 'tool', name } }),
    stop: (stop_sequences) => ({ stop_sequences }),
    schema: (schema) => ({ output_config: { format: { type: 'json_schema', schema } } }),
    takesDescription: false,
    unknown: [
      ['messages[].tide', { messages: [{ role: 'user', content: 'hi', ...UNKNOWN }] }],
      [
        'messages[].content[].tide',
        { messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', ...UNKNOWN }] }] },
      ],
      ['tools[].tide', { tools: [{ name: 'f', input_schema: { type: 'object' }, ...UNKNOWN }] }],
    ],
  },
  'openai-responses': {
    turns: (texts) => ({ input: texts.map((content, index) => ({ role: role(index), content })) }),
    emptyTurn: 'input[2].content',
    tools: (names) => ({ tools: names.map((name) => ({ type: 'function', name })) }),
    repeatedName: 'tools[2]',
    required: (name) => ({ tool_choice: name === undefined ? 'required' : { type: 'function', name } }),
    schema: (schema, strict, description) => ({
      text: { format: { type: 'json_schema', name: 'x', strict, schema, description } },
    }),
    takesDescription: true,
    unknown: [
      ['input[].tide', { input: [{ role: 'user', content: 'hi', ...UNKNOWN }] }],
      [
        'input[].content[].tide',
        { input: [{ role: 'user', content: [{ type: 'input_text', text: 'hi', ...UNKNOWN }] }] },
      ],
      ['tools[].tide', { tools: [{ type: 'function', name: 'f', ...UNKNOWN }] }],
    ],
  },
  gemini: {
    turns: (texts) => ({
      contents: texts.map((text, index) => ({ role: index % 2 === 0 ? 'user' : 'model', parts: [{ text }] })),
    }),
    emptyTurn: 'contents',
    tools: (names) => ({ tools: [{ functionDeclarations: names.map((name) => ({ name })) }] }),
    repeatedName: 'tools',
    required: (name) => ({
      toolConfig: {
        functionCallingConfig: { mode: 'ANY', ...(name !== undefined && { allowedFunctionNames: [name] }) },
      },
    }),
    stop: (stopSequences) => ({ generationConfig: { stopSequences } }),
    penalties: (penalty) => ({ generationConfig: { frequencyPenalty: penalty, presencePenalty: penalty } }),
    schema: (responseJsonSchema) => ({
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema },
    }),
    takesDescription: false,
    unknown: [
      ['contents[].tide', { contents: [{ role: 'user', parts: [{ text: 'hi' }], ...UNKNOWN }] }],
      ['contents[].parts[].tide', { contents: [{ role: 'user', parts: [{ text: 'hi', ...UNKNOWN }] }] }],
      ['functionDeclarations[].tide', { tools: [{ functionDeclarations: [{ name: 'f', ...UNKNOWN }] }] }],
    ],
  },
};
