/** The clients of the proof: packages and command-line programs from the registries, as their users run them. To add one: its program, and a line. */

export interface Client {
  /** The package's name. */
  readonly name: string;
  /** A program in `javascript/` or `python/` that prints its checks, or a command-line program. */
  readonly runs: { readonly program: string } | { readonly commandLine: 'codex' | 'gemini' };
}

export const clients: readonly Client[] = [
  // Through /api/v1/responses.
  { name: 'openai', runs: { program: 'openai.mjs' } },
  { name: '@openai/agents', runs: { program: 'openai-agents.mjs' } },
  { name: '@ai-sdk/openai', runs: { program: 'ai-sdk-openai.mjs' } },
  { name: '@langchain/openai', runs: { program: 'langchain-openai.mjs' } },
  { name: 'openai (Python)', runs: { program: 'openai_responses.py' } },
  { name: 'openai-agents (Python)', runs: { program: 'openai_agents.py' } },
  { name: 'Codex CLI', runs: { commandLine: 'codex' } },
  // Through files and batches.
  { name: 'openai (Python), batches', runs: { program: 'openai_batches.py' } },
  // Through generateContent.
  { name: '@google/genai', runs: { program: 'google-genai.mjs' } },
  { name: '@ai-sdk/google', runs: { program: 'ai-sdk-google.mjs' } },
  { name: '@langchain/google-genai', runs: { program: 'langchain-google.mjs' } },
  { name: 'google-genai (Python)', runs: { program: 'google_genai.py' } },
  { name: 'langchain-google-genai (Python)', runs: { program: 'langchain_google.py' } },
  { name: 'Gemini CLI', runs: { commandLine: 'gemini' } },
];
