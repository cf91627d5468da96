/** Coding assistants. */
import { double, isLocal, word } from './quote.ts';
import type { Connection, Tool } from './tool.ts';

/** The base URL has no path: Claude Code appends `/v1/messages`. */
export const claudeCode: Tool = {
  id: 'claude-code',
  name: 'Claude Code',
  kind: 'assistant',
  documentation: 'https://docs.anthropic.com/en/docs/claude-code/llm-gateway',
  needsTools: true,
  intro: 'The base URL has no path. ANTHROPIC_API_KEY must be empty, or Claude Code sends that key instead.',
  blocks: (connection) => [
    { title: 'Shell', code: claudeCodeCommands(connection) },
    {
      title: 'or ~/.claude/settings.json',
      code: JSON.stringify({ env: Object.fromEntries(claudeCodeSettings(connection)) }, null, 2),
    },
  ],
  notes: ({ model }) =>
    `${
      servesClaude(model)
        ? 'Claude Code selects Claude models by itself.'
        : `All requests go to ${model}. Remove ANTHROPIC_MODEL once a provider serves Claude models.`
    } Run /status in Claude Code to check the settings.`,
};

function claudeCodeSettings({ origin, key, model }: Connection): readonly (readonly [string, string])[] {
  return [
    ['ANTHROPIC_BASE_URL', origin],
    ['ANTHROPIC_AUTH_TOKEN', key],
    ['ANTHROPIC_API_KEY', ''],
    ...(servesClaude(model) ? [] : ([['ANTHROPIC_MODEL', model]] as const)),
  ];
}

function claudeCodeCommands(connection: Connection): string {
  const lines = claudeCodeSettings(connection).map(
    ([name, value]) => `export ${name}=${value === '' ? '""' : word(value)}`,
  );
  return [...lines, 'claude'].join('\n');
}

function servesClaude(model: string): boolean {
  return model.includes('claude');
}

/** https://docs.cline.bot/provider-config/openai-compatible */
export const cline: Tool = {
  id: 'cline',
  name: 'Cline',
  kind: 'assistant',
  documentation: 'https://docs.cline.bot/provider-config/openai-compatible',
  needsTools: true,
  intro:
    'In the editor, open Cline’s settings, choose “OpenAI Compatible” as the API provider, and paste these values.',
  blocks: ({ origin, key, model }) => [
    { title: 'Base URL', code: `${origin}/api/v1` },
    { title: 'OpenAI Compatible API Key', code: key },
    { title: 'Model ID', code: model },
    {
      title: 'Shell (Cline CLI)',
      code: `cline auth --provider openai-compatible --baseurl ${word(`${origin}/api/v1`)} --apikey ${word(key)} --modelid ${word(model)}`,
    },
  ],
  notes: ({ facts }) =>
    facts?.context == null ? null : `Under Model Configuration, set the context window to ${facts.context} tokens.`,
};

/**
 * https://docs.continue.dev/customize/model-providers/top-level/openai: for names like those of OpenAI's newer models it calls
 * /responses unless `useResponsesApi` is false.
 */
export const continueDev: Tool = {
  id: 'continue',
  name: 'Continue',
  kind: 'assistant',
  documentation: 'https://docs.continue.dev/reference',
  needsTools: true,
  intro: 'For the editor extensions and the command line.',
  blocks: ({ origin, key, model, facts }) => {
    const capabilities = [...(facts?.hasTools ? ['tool_use'] : []), ...(facts?.readsImages ? ['image_input'] : [])];
    return [
      {
        title: '~/.continue/config.yaml',
        code: [
          'name: Turnpike',
          'version: 1.0.0',
          'schema: v1',
          'models:',
          `  - name: ${double(model)}`,
          '    provider: openai',
          `    model: ${double(model)}`,
          `    apiBase: ${double(`${origin}/api/v1`)}`,
          `    apiKey: ${double(key)}`,
          '    useResponsesApi: false',
          '    roles: [chat, edit, apply]',
          ...(capabilities.length === 0 ? [] : [`    capabilities: [${capabilities.join(', ')}]`]),
          ...(facts?.context == null ? [] : ['    defaultCompletionOptions:', `      contextLength: ${facts.context}`]),
        ].join('\n'),
      },
    ];
  },
  notes: () => 'Autocomplete and embeddings are separate roles and need models made for them.',
};

/** https://zed.dev/docs/ai/use-api-access#openai-compatible: a key never stands in its settings. */
export const zed: Tool = {
  id: 'zed',
  name: 'Zed',
  kind: 'assistant',
  documentation: 'https://zed.dev/docs/ai/llm-providers',
  needsTools: true,
  intro: 'The provider name, turnpike, determines the name of the variable with the key.',
  blocks: ({ origin, key, model, facts }) => [
    {
      title: '~/.config/zed/settings.json',
      code: JSON.stringify(
        {
          language_models: {
            openai_compatible: {
              turnpike: {
                api_url: `${origin}/api/v1`,
                available_models: [
                  {
                    name: model,
                    display_name: model,
                    max_tokens: facts?.context ?? ZED_CONTEXT,
                    ...(facts?.outputCap == null ? {} : { max_output_tokens: facts.outputCap }),
                    capabilities: {
                      tools: facts?.hasTools ?? true,
                      images: facts?.readsImages ?? false,
                      parallel_tool_calls: false,
                      prompt_cache_key: false,
                      chat_completions: true,
                    },
                  },
                ],
              },
            },
          },
          agent: { default_model: { provider: 'turnpike', model } },
        },
        null,
        2,
      ),
    },
    { title: 'Shell', code: `export TURNPIKE_API_KEY=${word(key)}\nzed` },
  ],
  notes: ({ facts }) =>
    `You can also paste the key under Settings > AI > LLM Providers > turnpike; Zed stores it in the keychain.${
      facts?.context == null ? ` max_tokens is the model’s context window, which is not known here.` : ''
    }`,
};

/** Required; where nobody knows the context window, one that most models have. */
const ZED_CONTEXT = 128_000;

/** https://aider.chat/docs/llms/openai-compat.html */
export const aider: Tool = {
  id: 'aider',
  name: 'aider',
  kind: 'assistant',
  documentation: 'https://aider.chat/docs/llms/openai-compat.html',
  intro: 'The openai/ prefix tells aider which API format to use; it is not sent to the gateway.',
  blocks: ({ origin, key, model }) => [
    {
      title: 'Shell',
      code: `export OPENAI_API_BASE=${word(`${origin}/api/v1`)}
export OPENAI_API_KEY=${word(key)}
aider --model ${word(`openai/${model}`)}`,
    },
    {
      title: 'or .aider.conf.yml, instead of the first and last line',
      code: `openai-api-base: ${double(`${origin}/api/v1`)}
model: ${double(`openai/${model}`)}`,
    },
  ],
  notes: () => 'aider warns about models it has no price for; --no-show-model-warnings turns the warning off.',
};

export const cursor: Tool = {
  id: 'cursor',
  name: 'Cursor',
  kind: 'assistant',
  documentation: 'https://docs.cursor.com/settings/api-keys',
  needsTools: true,
  intro:
    'In Cursor, open Settings > Models > API Keys. Paste the URL and the key under OpenAI, and add the model by its ID.',
  blocks: ({ origin, key, model }) => [
    { title: 'Override OpenAI base URL', code: `${origin}/api/v1` },
    { title: 'OpenAI API key', code: key },
    { title: 'Custom model', code: model },
  ],
  warning: ({ origin }) =>
    isLocal(origin) || !origin.startsWith('https://')
      ? `Cursor cannot reach ${origin}. Its requests come from Cursor’s servers, so it needs a public HTTPS address.`
      : null,
  notes: () => 'Tab completions always go to Cursor’s own models.',
};

/** Current releases accept no other `wire_api` than `responses`. https://developers.openai.com/codex/config-reference */
export const codex: Tool = {
  id: 'codex',
  name: 'Codex CLI',
  kind: 'assistant',
  documentation: 'https://developers.openai.com/codex/config-reference',
  needsTools: true,
  blocks: ({ origin, key, model, facts }) => [
    {
      title: '~/.codex/config.toml',
      code: `model = ${double(model)}
model_provider = "turnpike"
${facts?.context == null ? '' : `model_context_window = ${facts.context}\n`}
[model_providers.turnpike]
name = "Turnpike"
base_url = ${double(`${origin}/api/v1`)}
env_key = "TURNPIKE_KEY"
wire_api = "responses"`,
    },
    { title: 'Shell', code: `export TURNPIKE_KEY=${word(key)}\ncodex` },
  ],
  notes: () =>
    'Codex warns about models it has no metadata for; they work all the same. Its web search is left out of calls that a prepaid balance pays for, because it sets no limit on its uses.',
};

/** https://geminicli.com/docs/reference/configuration: it calls `<address>/v1beta/models/<model>:streamGenerateContent`. */
export const geminiCli: Tool = {
  id: 'gemini-cli',
  name: 'Gemini CLI',
  kind: 'assistant',
  documentation: 'https://geminicli.com/docs/reference/configuration/',
  needsTools: true,
  intro: 'The base URL has no path. At the first start, choose “Use Gemini API key”.',
  blocks: ({ origin, key, model }) => [
    {
      title: 'Shell',
      code: `export GOOGLE_GEMINI_BASE_URL=${word(origin)}
export GEMINI_API_KEY=${word(key)}
gemini --model ${word(model)}`,
    },
    {
      title: '~/.gemini/settings.json, to skip the question',
      code: JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }, null, 2),
    },
  ],
};

/** A `.env` file. The names are the ones the SDKs read by default. */
export function environmentFile({ origin, key }: Pick<Connection, 'origin' | 'key'>): string {
  return `${[
    `TURNPIKE_KEY=${word(key)}`,
    `OPENAI_BASE_URL=${word(`${origin}/api/v1`)}`,
    `OPENAI_API_KEY=${word(key)}`,
    `ANTHROPIC_BASE_URL=${word(origin)}`,
    `ANTHROPIC_AUTH_TOKEN=${word(key)}`,
    `GOOGLE_GEMINI_BASE_URL=${word(origin)}`,
    `GEMINI_API_KEY=${word(key)}`,
  ].join('\n')}\n`;
}
