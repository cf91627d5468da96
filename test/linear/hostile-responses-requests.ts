/** Requests of callers of Responses; see `hostile-requests.ts`. */
import type { Write } from './hostile-requests.ts';
import { jsonOf, pick, textOf, times } from './hostile-values.ts';

const user = '{"role":"user","content":"x"}';
const call = (index: number, args = '{}') =>
  `{"type":"function_call","id":"fc_${index}","call_id":"c${index}","name":"look","arguments":${JSON.stringify(args)}}`;
const output = (index: number) => `{"type":"function_call_output","call_id":"c${index}","output":"x"}`;

export const responsesRequests: Readonly<Record<string, Write>> = {
  backslashes: (_random, size) => ({ input: `"${'\\\\'.repeat(size * 20)}"` }),
  'numbers with many digits': (_random, size) => ({
    something: `[${times(size, () => '2.22507385850720113605740979670913197593e-308')}]`,
  }),
  'a long text': (random, size) => ({ input: JSON.stringify(textOf(random, size * 40)) }),
  'long instructions': (random, size) => ({ instructions: JSON.stringify(textOf(random, size * 40)) }),
  'many messages': (random, size) => ({
    input: `[${times(size, () => `{"role":"${pick(random, ['user', 'assistant', 'developer', 'system'])}","content":${JSON.stringify(textOf(random, 6))}}`)}]`,
  }),
  'many parts of one message': (random, size) => ({
    input: `[{"role":"user","content":[${times(size, () => `{"type":"input_text","text":${JSON.stringify(textOf(random, 6))}}`)}]}]`,
  }),
  'many calls, answered in another order': (_random, size) => ({
    input: `[${user},${times(size, (index) => call(index))},${times(size, (index) => output(size - 1 - index))}]`,
  }),
  'many calls, each answered': (_random, size) => ({
    input: `[${user},${times(size, (index) => `${call(index)},${output(index)}`)}]`,
  }),
  'calls that nobody answers': (_random, size) => ({ input: `[${user},${times(size, (index) => call(index))}]` }),
  'the same id again and again': (_random, size) => ({
    input: `[${times(size, () => `${user},${call(0)},${output(0)}`)}]`,
  }),
  arguments: (random, size) => ({ input: `[${user},${call(0, `{"a":${jsonOf(random, size)}}`)},${output(0)}]` }),
  'calls of tools that take free text': (random, size) => ({
    input: `[${user},${times(size, (index) => `{"type":"custom_tool_call","call_id":"c${index}","name":"signal","input":${JSON.stringify(textOf(random, 5))}},{"type":"custom_tool_call_output","call_id":"c${index}","output":"x"}`)}]`,
    tools: '[{"type":"custom","name":"signal"}]',
  }),
  'thoughts given back': (random, size) => ({
    input: `[${user},${times(size, (index) => `{"type":"reasoning","id":"rs_${index}","summary":[{"type":"summary_text","text":${JSON.stringify(textOf(random, 4))}}],"encrypted_content":"${pick(random, ['c2VhbGVk', 'tp1.x', 'tp1.openai%2Fx.'])}${index}"}`)},${user}]`,
  }),
  'a thought of many summaries': (_random, size) => ({
    input: `[${user},{"type":"reasoning","id":"rs","summary":[${times(size, () => '{"type":"summary_text","text":"x"}')}],"encrypted_content":"c2VhbGVk"},${user}]`,
  }),
  'images and files': (random, size) => ({
    input: `[{"role":"user","content":[${times(size, () => pick(random, ['{"type":"input_image","image_url":"https://a.example/b.png"}', '{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo="}', '{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,JVBERi0xLjQK"}', '{"type":"input_file","file_url":"https://a.example/b.pdf"}']))}]}]`,
  }),
  'an item of escaped quotes, with an id and a thought': (_random, size) => ({
    input: `[{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"c2VhbGVk"},{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","annotations":[],"text":"${'\\"'.repeat(size * 20)}"}]},${user}]`,
  }),
  'a large image': (_random, size) => ({
    input: `[{"role":"user","content":[{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo${'AAAA'.repeat(size * 10)}"}]}]`,
  }),
  'many tools': (random, size) => ({
    tools: `[${times(size, (index) => `{"type":"function","name":"tool_${index}","description":${JSON.stringify(textOf(random, 5))},"parameters":{"type":"object","properties":{}},"strict":true}`)}]`,
    tool_choice: '{"type":"function","name":"tool_0"}',
  }),
  'tools in namespaces': (_random, size) => ({
    tools: `[${times(size, (index) => `{"type":"namespace","name":"n${index}","description":"x","tools":[{"type":"function","name":"t","parameters":{"type":"object"},"strict":false}]}`)}]`,
  }),
  'allowed tools': (_random, size) => ({
    tools: `[${times(size, (index) => `{"type":"function","name":"t${index}","parameters":null}`)}]`,
    tool_choice: `{"type":"allowed_tools","mode":"auto","tools":[${times(size, (index) => `{"type":"function","name":"t${size - 1 - index}"}`)}]}`,
  }),
  'searches among the tools, in the choice and in what is included': (random, size) => ({
    tools: `[${times(size, (index) => `{"type":"${pick(random, ['custom', 'web_search'])}","name":"t${index}"}`)},{"type":"custom","name":"t"}]`,
    tool_choice: `{"type":"allowed_tools","mode":"auto","tools":[${times(size, () => '{"type":"web_search"}')},{"type":"custom","name":"t"}]}`,
    include: `[${times(size, () => '"web_search_call.results"')}]`,
  }),
  'searches that items add': (random, size) => ({
    input: `[${user},${times(size, (index) => `{"type":"additional_tools","role":"developer","tools":[{"type":"custom","name":"t${index}"},${pick(random, ['{"type":"web_search"}', '{"type":"custom","name":"u"}'])}]}`)}]`,
  }),
  "a tool's schema": (random, size) => ({
    tools: `[{"type":"function","name":"a","strict":false,"parameters":{"type":"object","properties":{"p":${jsonOf(random, size)}}}}]`,
  }),
  'a schema of the answer': (random, size) => ({
    text: `{"format":{"type":"json_schema","name":"a","strict":true,"schema":{"type":"object","properties":{"p":${jsonOf(random, size)}},"additionalProperties":false}}}`,
  }),
  'items nobody knows': (_random, size) => ({ input: `[${times(size, (index) => `{"type":"odd_${index}"}`)}]` }),
  'unknown fields of items': (random, size) => ({
    input: `[${times(size, (index) => `{"role":"user","content":"x","f${index}":${JSON.stringify(textOf(random, 3))}}`)}]`,
  }),
  'a field nobody knows': (random, size) => ({ something: jsonOf(random, size) }),
  'what to include': (_random, size) => ({ include: `[${times(size, (index) => `"x${index}"`)}]` }),
};
