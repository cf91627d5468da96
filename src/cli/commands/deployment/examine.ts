/** `turnpike doctor --url`: runs what coding assistants rely on against a deployment, and says what to fix. */
import type { CommandContext } from '../../command.ts';
import { UsageError } from '../../command-errors.ts';
import { confirm } from '../../confirm.ts';
import { paint } from '../../output.ts';
import { checkAnswers } from './check-answers.ts';
import { checkFree } from './check-free.ts';
import { checkKey } from './check-key.ts';
import { checkPromptCache } from './check-prompt-cache.ts';
import { checkReach } from './check-reach.ts';
import { checkThinking } from './check-thinking.ts';
import { checkTools } from './check-tools.ts';
import { Deployment, Unanswered } from './deployment.ts';
import type { Check, Examination, Finding } from './finding.ts';
import { firstServed } from './first-served.ts';
import { checkModels, type ListedModel } from './models.ts';
import { mostUsd, PLANNED_CALLS } from './spend-bound.ts';

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red', skip: 'dim' } as const;

/** In order; each with a name for when it cannot be finished. */
const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ['answers', checkAnswers],
  ['tools', checkTools],
  ['thinking', checkThinking],
  ['prompt cache', checkPromptCache],
  ['errors and limits', checkFree],
];

/** The exit code. Throws `UsageError` for a URL or a key that is missing or wrong, and if the spending is not confirmed. */
export async function examine(context: CommandContext, address: string): Promise<number> {
  const deployment = new Deployment(readUrl(address), readKey(context));
  const findings: Finding[] = [];
  const note = (found: readonly Finding[]) => {
    findings.push(...found);
    if (!context.json) for (const finding of found) print(context, finding);
  };
  let most: number | null = null;
  try {
    const nowMs = context.doors.now();
    const reach = await checkReach(deployment, nowMs);
    note(reach.findings);
    const model = reach.isReached ? await chooseModel(context, deployment, note) : null;
    if (model !== null) {
      most = mostUsd(model);
      await confirm(context, { sentence: announce(model, most), declined: 'Nothing was spent' });
      await runChecks({ deployment, model: model.id, nowMs }, note);
    }
  } finally {
    deployment.close();
  }
  return report(context, findings, most);
}

/** Null if no call can be made, or none would be served. */
async function chooseModel(
  context: CommandContext,
  deployment: Deployment,
  note: (found: readonly Finding[]) => void,
): Promise<ListedModel | null> {
  try {
    const key = await checkKey(deployment);
    note(key.findings);
    if (!key.isValid) return null;
    const models = await checkModels(deployment, context.text('model'));
    note(models.findings);
    const { model, findings } = await firstServed(deployment, models.models);
    note(findings);
    return model;
  } catch (error) {
    note([unanswered('key', error)]);
    return null;
  }
}

async function runChecks(examination: Examination, note: (found: readonly Finding[]) => void): Promise<void> {
  for (const [name, check] of CHECKS)
    try {
      note(await check(examination));
    } catch (error) {
      note([unanswered(name, error)]);
    }
}

function unanswered(name: string, error: unknown): Finding {
  if (!(error instanceof Unanswered)) throw error;
  return {
    ...{ name, state: 'fail', detail: `the connection ended without an answer: ${error.code}` },
    fix: 'Check the time limits and the size limits of the proxy, and its log.',
  };
}

function announce({ id }: ListedModel, most: number | null): string {
  const sum =
    most === null ? 'an unknown amount, since the model has no price' : `at most $${most.toFixed(most < 0.01 ? 6 : 4)}`;
  return `This makes ${PLANNED_CALLS} calls of ${id} and spends ${sum}.`;
}

function report(context: CommandContext, findings: readonly Finding[], most: number | null): number {
  const failed = findings.some(({ state }) => state === 'fail');
  const fixes = fixesOf(findings);
  if (context.json)
    context.terminal.out(JSON.stringify({ data: findings, calls: most === null ? 0 : PLANNED_CALLS, most_usd: most }));
  else if (fixes.length === 0) context.terminal.out('Nothing to fix.');
  else for (const line of ['To fix:', ...fixes.map((fix) => `- ${fix}`)]) context.terminal.out(line);
  return failed ? 1 : 0;
}

/** One line for each thing to do, with the names of what it is about. */
function fixesOf(findings: readonly Finding[]): readonly string[] {
  const names = new Map<string, string[]>();
  for (const { name, fix } of findings) if (fix !== undefined) names.set(fix, [...(names.get(fix) ?? []), name]);
  return [...names].map(([fix, of]) => `${of.join('; ')}: ${fix}`);
}

function print(context: CommandContext, { name, state, detail }: Finding): void {
  context.terminal.out(`${paint(context, COLOURS[state], state.padEnd(4))}  ${name}: ${detail}`);
}

function readUrl(address: string): URL {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError('--url needs an address like https://llm.example.com');
  if (url.username !== '' || url.password !== '') throw new UsageError('--url must not contain a password; use --key');
  url.search = '';
  url.hash = '';
  return url;
}

/** A variable keeps the key out of the list of processes and of the shell's history. */
function readKey({ text, environment }: CommandContext): string {
  const key = text('key') ?? environment[KEY_VARIABLE];
  if (key === undefined || key === '') throw new UsageError(`--url needs --key, or the variable ${KEY_VARIABLE}`);
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError('--key is not a key: it has characters that no header may have');
  return key;
}

export const KEY_VARIABLE = 'TURNPIKE_KEY';
