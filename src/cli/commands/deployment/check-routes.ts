/** Which providers would serve what is about to be sent, and at what bound: asked without calling one, so before anything is spent. */
import { ANSWER_TOKENS, lookUp, PROMPT } from './check-answers.ts';
import { type Deployment, listAt, objectIn, type Reply, valueAt } from './deployment.ts';
import type { Finding } from './finding.ts';
import { chatCompletions, type Format, messages, responses } from './formats.ts';

/** The formats whose route can be asked for, with where. */
const PLANNED: readonly (readonly [format: Format, path: string])[] = [
  [messages, '/v1/messages/route'],
  [chatCompletions, '/api/v1/route'],
  [responses, '/api/v1/responses/route'],
];
const NAMES_SHOWN = 3;

/**
 * `isServed` is false if it is known that no call would be: then nothing has to be tried. `isReady`: some call would be served, and by a
 * provider that has not failed lately.
 */
export async function checkRoutes(
  deployment: Deployment,
  model: string,
): Promise<{ readonly findings: readonly Finding[]; readonly isServed: boolean; readonly isReady: boolean }> {
  const findings: Finding[] = [];
  let isReady = false;
  for (const [format, path] of PLANNED) {
    const reply = await deployment.ask({
      path,
      headers: format.headers(deployment.key),
      body: format.body(model, PROMPT, ANSWER_TOKENS, false),
    });
    findings.push(findingOf(deployment, format, path, reply));
    const candidates = listAt(objectIn(reply), 'data', 'candidates');
    isReady ||= candidates.some((candidate) => valueAt(candidate, 'resting') !== true);
  }
  return { findings, isServed: findings.some(({ state }) => state !== 'fail'), isReady };
}

function findingOf(deployment: Deployment, format: Format, path: string, reply: Reply): Finding {
  const name = `${format.title}, route`;
  const refusal = reply.status === 200 ? null : format.errorIn(reply);
  if (refusal !== null)
    return {
      ...{ name, state: 'fail', detail: `a call would be refused with ${reply.status}: ${deployment.shown(refusal)}` },
      fix: `${lookUp(deployment, reply)}; nothing was spent.`,
    };
  const plan = valueAt(objectIn(reply), 'data');
  if (reply.status !== 200 || plan === undefined)
    return {
      ...{ name, state: 'warn', detail: `cannot be asked: status ${reply.status}` },
      fix: `Let the proxy pass POST requests to ${path} too: its answer names the providers of a call, and what it may cost.`,
    };
  const leftOut = listAt(plan, 'left_out').map((each) => `${nameOf(each)} (${String(valueAt(each, 'reason'))})`);
  const candidates = listAt(plan, 'candidates');
  if (candidates.length === 0)
    return {
      ...{ name, state: 'fail', detail: deployment.shown(`nobody would serve a call: ${shortened(leftOut)}`) },
      fix: leftOut.some((each) => each.endsWith('(unaffordable)'))
        ? 'Top up the account, or raise the budget.'
        : 'Name another model with --model, or ask the operator why its providers are left out.',
    };
  const parts = [
    shortened(candidates.map(candidateText), ', then '),
    `at most ${dollars(valueAt(plan, 'max_cost'))} for a short call`,
    ...(leftOut.length === 0 ? [] : [`left out: ${shortened(leftOut)}`]),
  ];
  return { name, state: 'ok', detail: deployment.shown(parts.join('; ')) };
}

function candidateText(candidate: unknown): string {
  const notes = [
    ...(valueAt(candidate, 'own_credential') === true ? ['own credential'] : []),
    ...(valueAt(candidate, 'translated') === true ? ['translated'] : []),
    ...(valueAt(candidate, 'resting') === true ? ['resting'] : []),
  ];
  return nameOf(candidate) + (notes.length === 0 ? '' : ` (${notes.join(', ')})`);
}

function nameOf(candidate: unknown): string {
  return String(valueAt(candidate, 'provider'));
}

function shortened(names: readonly string[], between = ', '): string {
  const rest = names.length - NAMES_SHOWN;
  return `${names.slice(0, NAMES_SHOWN).join(between)}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function dollars(amount: unknown): string {
  return typeof amount === 'number' ? `$${amount.toFixed(amount < 0.01 ? 6 : 4)}` : 'an unknown amount';
}
