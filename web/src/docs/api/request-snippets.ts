/** Example requests: curl for every route, and the vendors' SDKs for the routes that they know. */
import { anthropicSdk, openAiSdk } from '../../pages/connect/sdks.ts';
import { curlOf } from './curl.ts';
import { baseOf, type Document, type Operation } from './document.ts';

export interface Snippet {
  readonly label: string;
  readonly code: string;
}

const KEY = 'sk-tp-…';
const MODEL = 'demo/echo';

export function requestSnippets(operation: Operation, document: Document): readonly Snippet[] {
  const base = baseOf(document);
  return [{ label: 'curl', code: curlOf(operation, document) }, ...(SDKS[operation.operationId]?.(base) ?? [])];
}

const SDKS: Readonly<Record<string, (base: string) => readonly Snippet[]>> = {
  createChatCompletion: (base) => snippetsOf(openAiSdk, base),
  createMessage: (base) => snippetsOf(anthropicSdk, base),
  countMessageTokens: (base) => [
    {
      label: 'Python',
      code: `from anthropic import Anthropic

client = Anthropic(base_url="${base}", api_key="${KEY}")
count = client.messages.count_tokens(
    model="${MODEL}",
    messages=[{"role": "user", "content": "Hello"}],
)
print(count.input_tokens)`,
    },
    {
      label: 'JavaScript',
      code: `import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic({ baseURL: '${base}', apiKey: '${KEY}' });
const count = await client.messages.countTokens({
  model: '${MODEL}',
  messages: [{ role: 'user', content: 'Hello' }],
});
console.log(count.input_tokens);`,
    },
  ],
  listModels: (base) => [
    {
      label: 'Python',
      code: `from openai import OpenAI

client = OpenAI(base_url="${base}/api/v1", api_key="${KEY}")
for model in client.models.list():
    print(model.id)`,
    },
    {
      label: 'JavaScript',
      code: `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: '${base}/api/v1', apiKey: '${KEY}' });
for await (const model of client.models.list()) console.log(model.id);`,
    },
  ],
};

function snippetsOf(sdk: typeof openAiSdk, origin: string): readonly Snippet[] {
  return sdk.blocks({ origin, key: KEY, model: MODEL }).map(({ title, code }) => ({ label: title, code }));
}
