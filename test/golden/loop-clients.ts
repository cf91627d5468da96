/** How a plain client of each format goes on after an answer that calls a tool: it sends back what it got, and the result. */
import type { CallerDialectName } from '../../src/dialects/index.ts';
import { SseSplitter } from '../../src/wire/frames/sse-splitter.ts';
import type { RequestFixture } from './fixtures.ts';

// biome-ignore lint/suspicious/noExplicitAny: a client trusts the answers of its format.
type Parsed = any;

export interface LoopClient {
  takeWhole(answer: Parsed): void;
  takeStream(stream: Buffer): void;
  /** The request with the question alone. */
  first(): RequestFixture['request'];
  /** The next request, with this text as the result of the last call. */
  request(result: string): Pick<RequestFixture, 'request' | 'at'>;
}

const SCHEMA = { type: 'object', properties: { port: { type: 'string' } }, required: ['port'] };
const QUESTION = 'When is high water?';

export const loopClients: Readonly<Partial<Record<CallerDialectName | string, (question?: string) => LoopClient>>> = {
  'openai-chat': openChat,
  'anthropic-messages': openMessages,
  'openai-responses': openResponses,
  gemini: openGemini,
};

function payloadsOf(stream: Buffer): Parsed[] {
  return new SseSplitter()
    .push(stream)
    .map(({ data }) => data?.toString() ?? '')
    .filter((data) => data.startsWith('{'))
    .map((data) => JSON.parse(data));
}

/** As OpenRouter's documentation wants it: `reasoning_details` go back as they came. */
function openChat(question = QUESTION): LoopClient {
  const messages: Parsed[] = [{ role: 'user', content: question }];
  const asked = () => {
    const tool = { type: 'function', function: { name: 'tide', parameters: SCHEMA } };
    return { model: 'm', messages: [...messages], tools: [tool], reasoning: { effort: 'high' } };
  };
  return {
    takeWhole: ({ choices: [{ message }] }) => {
      const { role, content, tool_calls, reasoning_details } = message;
      messages.push({ role, content, tool_calls, reasoning_details });
    },
    takeStream: (stream) => {
      const message: Parsed = { role: 'assistant', content: null, tool_calls: [], reasoning_details: [] };
      for (const { choices } of payloadsOf(stream)) {
        const [{ delta } = { delta: {} }] = choices;
        message.reasoning_details.push(...(delta.reasoning_details ?? []));
        for (const { index, ...call } of delta.tool_calls ?? []) {
          const open = message.tool_calls[index];
          if (open === undefined) message.tool_calls[index] = call;
          else open.function.arguments += call.function.arguments;
        }
      }
      messages.push(message);
    },
    first: asked,
    request: (content) => {
      messages.push({ role: 'tool', tool_call_id: messages.at(-1).tool_calls[0].id, content });
      return { request: asked() };
    },
  };
}

function openMessages(question = QUESTION): LoopClient {
  const messages: Parsed[] = [{ role: 'user', content: question }];
  const asked = () => {
    const tools = [{ name: 'tide', input_schema: SCHEMA }];
    const thinking = { type: 'enabled', budget_tokens: 2_000 };
    return { model: 'm', max_tokens: 4_000, messages: [...messages], tools, thinking };
  };
  return {
    takeWhole: ({ role, content }) => messages.push({ role, content }),
    takeStream: (stream) => {
      const content: Parsed[] = [];
      const inputs: string[] = [];
      for (const { type, index, content_block: block, delta } of payloadsOf(stream)) {
        if (type === 'content_block_start') content[index] = block;
        if (type !== 'content_block_delta') continue;
        const open = content[index];
        if (delta.type === 'input_json_delta') inputs[index] = (inputs[index] ?? '') + delta.partial_json;
        if (delta.type === 'thinking_delta') open.thinking += delta.thinking;
        if (delta.type === 'signature_delta') open.signature = delta.signature;
        if (delta.type === 'text_delta') open.text += delta.text;
      }
      inputs.forEach((json, index) => {
        content[index].input = JSON.parse(json);
      });
      messages.push({ role: 'assistant', content });
    },
    request: (result) => {
      const call = messages.at(-1).content.find(({ type }: Parsed) => type === 'tool_use');
      messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: result }] });
      return { request: asked() };
    },
    first: asked,
  };
}

/** Stateless, as Codex is: the whole history with its items. */
function openResponses(question = QUESTION): LoopClient {
  const input: Parsed[] = [{ type: 'message', role: 'user', content: question }];
  const asked = () => {
    const tools = [{ type: 'function', name: 'tide', parameters: SCHEMA, strict: false }];
    const include = ['reasoning.encrypted_content'];
    const reasoning = { effort: 'high', summary: 'auto' };
    return { model: 'm', input: [...input], tools, include, reasoning, store: false };
  };
  return {
    takeWhole: ({ output }) => input.push(...output),
    takeStream: (stream) => {
      for (const { type, item } of payloadsOf(stream)) if (type === 'response.output_item.done') input.push(item);
    },
    request: (output) => {
      const call = input.findLast(({ type }: Parsed) => type === 'function_call');
      input.push({ type: 'function_call_output', call_id: call.call_id, output });
      return { request: asked() };
    },
    first: asked,
  };
}

function openGemini(question = QUESTION): LoopClient {
  const contents: Parsed[] = [{ role: 'user', parts: [{ text: question }] }];
  const asked = () => {
    const tools = [{ functionDeclarations: [{ name: 'tide', parametersJsonSchema: SCHEMA }] }];
    const generationConfig = { thinkingConfig: { includeThoughts: true } };
    return { contents: [...contents], tools, generationConfig };
  };
  return {
    first: asked,
    takeWhole: ({ candidates: [{ content }] }) => contents.push(content),
    takeStream: (stream) => {
      const parts = payloadsOf(stream).flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
      contents.push({ role: 'model', parts });
    },
    request: (result) => {
      const { functionCall } = contents.at(-1).parts.findLast((part: Parsed) => part.functionCall !== undefined);
      const functionResponse = { id: functionCall.id, name: functionCall.name, response: { result } };
      contents.push({ role: 'user', parts: [{ functionResponse }] });
      return {
        request: asked(),
        at: { path: '/v1beta/models/m:generateContent', parameters: { model: 'm', verb: 'generateContent' } },
      };
    },
  };
}
