/** Plain HTTP, and the SDKs of OpenAI, Anthropic and Google. */
import { callsOf, type OperationCall } from './operation-calls.ts';
import { double, shell, single, word } from './quote.ts';
import type { Connection, Tool } from './tool.ts';

export const curl: Tool = {
  id: 'curl',
  name: 'curl',
  kind: 'sdk',
  documentation: 'https://curl.se/docs/manpage.html',
  hasEveryOperation: true,
  blocks: (connection) =>
    callsOf(connection).map((call) => ({
      title: ['Shell', call.what, call.step ?? ''].filter((part) => part !== '').join(', '),
      code: commandOf(connection, call),
    })),
  notes: ({ facts }) =>
    facts?.writesText === false
      ? null
      : 'Not every provider has completions. A line of requests.jsonl has a custom_id, a method, a url and a body.',
};

/** One request from a shell: of the first operation that the model has. */
export function curlCommand(connection: Connection): string {
  return callsOf(connection)
    .slice(0, 1)
    .map((call) => commandOf(connection, call))
    .join('');
}

function commandOf({ origin, key }: Connection, { path, body, file, sends }: OperationCall): string {
  const output = file === undefined ? '' : ` --output ${file}`;
  const head = `curl${output} ${word(`${origin}${path}`)} \\
  -H ${shell(`Authorization: Bearer ${key}`)}`;
  if (sends === undefined)
    return `${head} \\
  -H 'Content-Type: application/json' \\
  -d ${shell(JSON.stringify(body))}`;
  const fields = Object.entries(body).map(([name, value]) => `--form-string ${shell(`${name}=${value}`)}`);
  return [head, ...fields, `-F file=@${sends}`].join(' \\\n  ');
}

export const openAiSdk: Tool = {
  id: 'openai',
  name: 'OpenAI SDK',
  kind: 'sdk',
  documentation: 'https://platform.openai.com/docs/libraries',
  intro: 'The base URL ends in /api/v1.',
  blocks: ({ origin, key, model }) => [
    {
      title: 'Python',
      code: `from openai import OpenAI

client = OpenAI(base_url=${double(`${origin}/api/v1`)}, api_key=${double(key)})
answer = client.chat.completions.create(
    model=${double(model)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`,
    },
    {
      title: 'JavaScript',
      code: `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: ${single(`${origin}/api/v1`)}, apiKey: ${single(key)} });
const answer = await client.chat.completions.create({
  model: ${single(model)},
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(answer.choices[0].message.content);`,
    },
  ],
};

export const anthropicSdk: Tool = {
  id: 'anthropic',
  name: 'Anthropic SDK',
  kind: 'sdk',
  documentation: 'https://docs.anthropic.com/en/api/client-sdks',
  intro: 'The base URL has no path.',
  blocks: ({ origin, key, model }) => [
    {
      title: 'Python',
      code: `from anthropic import Anthropic

client = Anthropic(base_url=${double(origin)}, api_key=${double(key)})
message = client.messages.create(
    model=${double(model)},
    max_tokens=1000,
    messages=[{"role": "user", "content": "Hello"}],
)
print(message.content[0].text)`,
    },
    {
      title: 'JavaScript',
      code: `import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({ baseURL: ${single(origin)}, apiKey: ${single(key)} });
const message = await client.messages.create({
  model: ${single(model)},
  max_tokens: 1000,
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(message.content[0].text);`,
    },
  ],
};

/** https://googleapis.github.io/python-genai/ and https://googleapis.github.io/js-genai/ */
export const googleSdk: Tool = {
  id: 'google-genai',
  name: 'Google Gen AI SDK',
  kind: 'sdk',
  documentation: 'https://ai.google.dev/gemini-api/docs/libraries',
  intro: 'The base URL has no path.',
  blocks: ({ origin, key, model }) => [
    {
      title: 'Python',
      code: `from google import genai

client = genai.Client(api_key=${double(key)}, http_options={"base_url": ${double(origin)}})
answer = client.models.generate_content(model=${double(model)}, contents="Hello")
print(answer.text)`,
    },
    {
      title: 'JavaScript',
      code: `import { GoogleGenAI } from '@google/genai';

const client = new GoogleGenAI({ apiKey: ${single(key)}, httpOptions: { baseUrl: ${single(origin)} } });
const answer = await client.models.generateContent({ model: ${single(model)}, contents: 'Hello' });
console.log(answer.text);`,
    },
  ],
};
