/** Tools that write code. */
import { Note } from '../../components/index.ts';
import type { Connection } from './connection.ts';
import { double, isLocal, word } from './quote.ts';
import type { Tool } from './tools.tsx';

/** The base address is the gateway's own: Claude Code adds `/v1/messages` by itself. */
export const claudeCode: Tool = {
  id: 'claude-code',
  name: 'Claude Code',
  intro: 'The base address has no path. The API key has to be empty, or Claude Code would send that one.',
  blocks: (connection) => [
    { title: 'Shell', code: claudeCodeCommands(connection) },
    {
      title: '~/.claude/settings.json, instead',
      code: JSON.stringify({ env: Object.fromEntries(claudeCodeSettings(connection)) }, null, 2),
    },
  ],
  notes: ({ model }) => (
    <p className="text-sm text-muted">
      {servesClaude(model)
        ? 'Claude Code asks for Claude models by itself. '
        : `All its requests go to ${model}. Leave ANTHROPIC_MODEL out once a provider serves Claude. `}
      Type /status within Claude Code to see what it uses.
    </p>
  ),
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

/** Current releases accept no other `wire_api` than `responses`. */
export const codex: Tool = {
  id: 'codex',
  name: 'Codex CLI',
  blocks: ({ origin, key, model }) => [
    {
      title: '~/.codex/config.toml, for when it is served',
      code: `model = ${double(model)}
model_provider = "turnpike"

[model_providers.turnpike]
name = "Turnpike"
base_url = ${double(`${origin}/api/v1`)}
env_key = "TURNPIKE_KEY"
wire_api = "responses"`,
    },
    { title: 'Shell', code: `export TURNPIKE_KEY=${word(key)}` },
  ],
  warning: () => (
    <Note tone="warn">
      Codex CLI does not work here yet. It calls /api/v1/responses only, which this gateway does not serve so far.
    </Note>
  ),
};

export const cursor: Tool = {
  id: 'cursor',
  name: 'Cursor',
  intro: 'In Cursor, open Settings, Models, API keys. Paste both under OpenAI, and add the model by its id.',
  blocks: ({ origin, key, model }) => [
    { title: 'Override OpenAI base URL', code: `${origin}/api/v1` },
    { title: 'OpenAI API key', code: key },
    { title: 'Custom model', code: model },
  ],
  warning: ({ origin }) =>
    isLocal(origin) || !origin.startsWith('https://') ? (
      <Note tone="warn">
        Cursor cannot reach {origin}. Its requests come from its own servers, so it needs a public https address.
      </Note>
    ) : null,
  notes: () => <p className="text-sm text-muted">Completions while typing always go to Cursor itself.</p>,
};

/** As a file that programs read at their start. The names are those that the SDKs look for by themselves. */
export function environmentFile({ origin, key }: Pick<Connection, 'origin' | 'key'>): string {
  return `${[
    `TURNPIKE_KEY=${word(key)}`,
    `OPENAI_BASE_URL=${word(`${origin}/api/v1`)}`,
    `OPENAI_API_KEY=${word(key)}`,
    `ANTHROPIC_BASE_URL=${word(origin)}`,
    `ANTHROPIC_AUTH_TOKEN=${word(key)}`,
  ].join('\n')}\n`;
}
