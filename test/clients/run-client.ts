/** Runs one client against one model, and returns what it could not do. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Client } from './client-table.ts';

export interface Scene {
  /** `http://127.0.0.1:<port>` */
  readonly base: string;
  readonly key: string;
  readonly model: string;
  /** The interpreter with the packages. */
  readonly python: string;
}

export interface Check {
  readonly name: string;
  /** Null if it succeeded. */
  readonly problem: string | null;
}

const PROGRAM_MS = 180_000;
const FOLDER = import.meta.dirname;
/** Where the packages are, with a copy of the programs. */
export const JAVASCRIPT = join(FOLDER, '..', '..', '.cache', 'clients-javascript');

export async function runClient({ runs }: Client, scene: Scene): Promise<readonly Check[]> {
  if ('program' in runs) return runProgram(runs.program, scene);
  return [await (runs.commandLine === 'codex' ? runCodex(scene) : runGemini(scene))];
}

async function runProgram(program: string, scene: Scene): Promise<readonly Check[]> {
  const isPython = program.endsWith('.py');
  const file = join(isPython ? join(FOLDER, 'python') : JAVASCRIPT, program);
  const env = { BASE: scene.base, KEY: scene.key, MODEL: scene.model, PYTHONDONTWRITEBYTECODE: '1' };
  const { code, stdout, stderr } = await run(isPython ? scene.python : process.execPath, [file], { env });
  const checks = stdout.split('\n').flatMap((line) => (line.startsWith('{"name"') ? [JSON.parse(line) as Check] : []));
  if (code === 0 && checks.length > 0) return checks;
  return [...checks, { name: 'the program', problem: `it ended with ${code}: ${stderr.slice(-500)}` }];
}

/** The model asks for a command that makes a file; the client runs it, returns its output, and shows the answer to that. */
const COMMAND = "printf 'made by a tool' > made.txt && printf made-it";

/** https://developers.openai.com/codex/config-reference */
async function runCodex({ base, key, model }: Scene): Promise<Check> {
  const config = [
    `model = "${model}"`,
    'model_provider = "turnpike"',
    '[model_providers.turnpike]',
    'name = "Turnpike"',
    `base_url = "${base}/v1"`,
    'env_key = "TURNPIKE_API_KEY"',
    'wire_api = "responses"',
  ];
  return inScratch(async ({ home, work }) => {
    mkdirSync(join(home, '.codex'));
    writeFileSync(join(home, '.codex', 'config.toml'), config.join('\n'));
    const words = ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
    const command = `call exec_command ${JSON.stringify({ cmd: COMMAND })}`;
    const env = { HOME: home, CODEX_HOME: join(home, '.codex'), TURNPIKE_API_KEY: key };
    return judge(await run(binary('codex'), [...words, command], { env, cwd: work }), work);
  });
}

/** https://google-gemini.github.io/gemini-cli/docs/get-started/configuration.html */
async function runGemini({ base, key, model }: Scene): Promise<Check> {
  const settings = {
    security: { auth: { selectedType: 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
    general: { disableAutoUpdate: true },
  };
  return inScratch(async ({ home, work }) => {
    mkdirSync(join(home, '.gemini'));
    writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
    const command = `call run_shell_command ${JSON.stringify({ command: COMMAND, description: 'Make a file' })}`;
    const env = {
      HOME: home,
      GEMINI_API_KEY: key,
      GOOGLE_GEMINI_BASE_URL: base,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    };
    const words = [binary('gemini'), '--model', model, '--yolo', '--prompt', command];
    return judge(await run(process.execPath, words, { env, cwd: work }), work);
  });
}

function binary(name: string): string {
  return join(JAVASCRIPT, 'node_modules', '.bin', name);
}

interface Scratch {
  readonly home: string;
  readonly work: string;
}

async function inScratch(use: (scratch: Scratch) => Promise<Check>): Promise<Check> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-client-'));
  const scratch = { home: join(folder, 'home'), work: join(folder, 'work') };
  for (const path of Object.values(scratch)) mkdirSync(path);
  try {
    return await use(scratch);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

const SAID_LENGTH_MAX = 2_000;

function judge({ code, stdout, stderr }: Ended, work: string): Check {
  const name = 'a task with a tool';
  const file = join(work, 'made.txt');
  const made = existsSync(file) ? readFileSync(file, 'utf8') : null;
  const said = `${stdout}\n${stderr}`.slice(0, SAID_LENGTH_MAX);
  if (code !== 0) return { name, problem: `it ended with ${code}: ${said}` };
  if (made !== 'made by a tool') return { name, problem: `the file was not made: ${said}` };
  // The strict provider repeats the results that it gets.
  if (!/results: .*made-it/s.test(stdout)) return { name, problem: `the tool's result did not come back: ${said}` };
  return { name, problem: null };
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(
  command: string,
  words: readonly string[],
  { env, cwd = FOLDER }: { readonly env: Readonly<Record<string, string>>; readonly cwd?: string },
): Promise<Ended> {
  const child = spawn(command, words, {
    cwd,
    env: { PATH: `${join(process.execPath, '..')}:${process.env['PATH']}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PROGRAM_MS,
  });
  const [[code], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, stdout, stderr };
}
