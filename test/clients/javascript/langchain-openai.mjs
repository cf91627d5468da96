/** The package `@langchain/openai`, through the Responses API. */
import assert from 'node:assert/strict';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { BASE, check, KEY, MODEL } from './check.mjs';
import { converse } from './langchain.mjs';

const chat = new ChatOpenAI({
  model: MODEL,
  apiKey: KEY,
  useResponsesApi: true,
  zdrEnabled: true,
  maxRetries: 0,
  configuration: { baseURL: `${BASE}/api/v1` },
});

await converse(chat, { HumanMessage, ToolMessage });

await check('a failing provider', async () => {
  await assert.rejects(chat.invoke('status 500'));
});
