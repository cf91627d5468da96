/** Libraries. Each speaks the chat completions format. */
import { double, single } from './quote.ts';
import type { Tool } from './tool.ts';

export const aiSdk: Tool = {
  id: 'ai-sdk',
  name: 'Vercel AI SDK',
  kind: 'library',
  documentation: 'https://ai-sdk.dev/providers/openai-compatible-providers',
  intro: 'With includeUsage, streams end with their token usage.',
  blocks: ({ origin, key, model }) => [
    { title: 'Shell', code: 'npm install ai @ai-sdk/openai-compatible' },
    {
      title: 'JavaScript',
      code: `import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText } from 'ai';

const turnpike = createOpenAICompatible({
  name: 'turnpike',
  baseURL: ${single(`${origin}/api/v1`)},
  apiKey: ${single(key)},
  includeUsage: true,
});
const { textStream } = streamText({ model: turnpike(${single(model)}), prompt: 'Hello' });
for await (const text of textStream) process.stdout.write(text);`,
    },
  ],
};

export const langChain: Tool = {
  id: 'langchain',
  name: 'LangChain',
  kind: 'library',
  documentation: 'https://docs.langchain.com/oss/python/integrations/chat/openai',
  blocks: ({ origin, key, model }) => [
    {
      title: 'Python',
      code: `from langchain_openai import ChatOpenAI

chat = ChatOpenAI(
    base_url=${double(`${origin}/api/v1`)},
    api_key=${double(key)},
    model=${double(model)},
)
print(chat.invoke("Hello").content)`,
    },
    {
      title: 'JavaScript',
      code: `import { ChatOpenAI } from '@langchain/openai';

const chat = new ChatOpenAI({
  model: ${single(model)},
  apiKey: ${single(key)},
  configuration: { baseURL: ${single(`${origin}/api/v1`)} },
});
console.log((await chat.invoke('Hello')).content);`,
    },
  ],
};

export const liteLlm: Tool = {
  id: 'litellm',
  name: 'LiteLLM',
  kind: 'library',
  documentation: 'https://docs.litellm.ai/docs/providers/openai_compatible',
  intro: 'The openai/ prefix tells LiteLLM which API format to use; it is not sent to the gateway.',
  blocks: ({ origin, key, model }) => [
    {
      title: 'Python',
      code: `import litellm

answer = litellm.completion(
    model=${double(`openai/${model}`)},
    api_base=${double(`${origin}/api/v1`)},
    api_key=${double(key)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`,
    },
    {
      title: 'config.yaml (LiteLLM proxy)',
      code: `model_list:
  - model_name: ${double(model)}
    litellm_params:
      model: ${double(`openai/${model}`)}
      api_base: ${double(`${origin}/api/v1`)}
      api_key: ${double(key)}`,
    },
  ],
};
