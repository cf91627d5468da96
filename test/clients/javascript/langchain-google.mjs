/** The package `@langchain/google-genai`. */
import assert from 'node:assert/strict';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { BASE, check, KEY, MODEL } from './check.mjs';
import { converse } from './langchain.mjs';

const chat = new ChatGoogleGenerativeAI({ model: MODEL, apiKey: KEY, baseUrl: BASE, maxRetries: 0 });

await converse(chat, { HumanMessage, ToolMessage });

await check('a failing provider', async () => {
  await assert.rejects(chat.invoke('status 500'));
});
