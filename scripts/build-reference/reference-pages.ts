/** Which tables are on which page of the docs. */
import { anthropicMessages } from '../../src/dialects/anthropic-messages/anthropic-messages.ts';
import { gemini } from '../../src/dialects/gemini/gemini.ts';
import { openaiChat } from '../../src/dialects/openai-chat/openai-chat.ts';
import { openaiResponses } from '../../src/dialects/openai-responses/openai-responses.ts';
import { commandsReference } from './commands-reference.ts';
import {
  governedByAnthropicMessages,
  governedByGemini,
  governedByOpenAiChat,
  governedByOpenAiResponses,
} from './governed-reference.ts';
import { controlReference, dashboardReference, managementReference } from './management-reference.ts';
import { metricsReference } from './metrics-reference.ts';
import { operationsReference } from './operations-reference.ts';
import { optionsReference } from './options-reference.ts';
import { providerOperationsReference, providersReference } from './providers-reference.ts';
import { translationReference } from './translation-reference.ts';

/** Page → part → Markdown. */
export type ReferencePages = Readonly<Record<string, Readonly<Record<string, string>>>>;

export async function referencePages(): Promise<ReferencePages> {
  return {
    'guide/billing.md': { operations: operationsReference() },
    'guide/providers.md': { 'provider-operations': providerOperationsReference() },
    'reference/api.md': {
      management: managementReference(),
      dashboard: dashboardReference(),
      control: controlReference(),
    },
    'reference/cli.md': { commands: commandsReference() },
    'reference/config.md': { options: optionsReference(), providers: providersReference() },
    'reference/metrics.md': { metrics: await metricsReference() },
    'reference/relay-edits.md': {
      [openaiChat.name]: governedByOpenAiChat(),
      [anthropicMessages.name]: governedByAnthropicMessages(),
      [openaiResponses.name]: governedByOpenAiResponses(),
      [gemini.name]: governedByGemini(),
    },
    'reference/translation.md': translationReference(),
  };
}
