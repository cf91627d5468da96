/** Which tables stand on which page of docs/reference. */
import { commandsReference } from './commands-reference.ts';
import { governedByAnthropicMessages, governedByOpenAiChat } from './governed-reference.ts';
import { dashboardReference, managementReference } from './management-reference.ts';
import { metricsReference } from './metrics-reference.ts';
import { optionsReference } from './options-reference.ts';
import { providersReference } from './providers-reference.ts';
import { translationReference } from './translation-reference.ts';

/** Page → part → Markdown. */
export type ReferencePages = Readonly<Record<string, Readonly<Record<string, string>>>>;

export async function referencePages(): Promise<ReferencePages> {
  return {
    'api.md': { management: managementReference(), dashboard: dashboardReference() },
    'cli.md': { commands: commandsReference() },
    'config.md': { options: optionsReference(), providers: providersReference() },
    'metrics.md': { metrics: await metricsReference() },
    'relay-edits.md': {
      'openai-chat': governedByOpenAiChat(),
      'anthropic-messages': governedByAnthropicMessages(),
    },
    'translation.md': translationReference(),
  };
}
