/** Which models the key sees, in the list of each vendor's clients, and which one is called. */
import { type Deployment, listAt, objectIn, valueAt } from './deployment.ts';
import type { Finding } from './finding.ts';
import { ANTHROPIC_VERSION } from './formats.ts';

export interface ListedModel {
  readonly id: string;
  /** USD per token; null if unknown. */
  readonly input: number | null;
  readonly output: number | null;
  /** USD per call; 0 if there is no such price. */
  readonly request: number;
}

/** `models` are those to call, the preferred one first; empty if there is none. */
export async function checkModels(
  deployment: Deployment,
  asked: string | null,
): Promise<{ readonly findings: readonly Finding[]; readonly models: readonly ListedModel[] }> {
  const authorization = { authorization: `Bearer ${deployment.key}` };
  const list = async (path: string, headers: Readonly<Record<string, string>>) =>
    await deployment.ask({ method: 'GET', path, headers });
  const all = listAt(objectIn(await list('/api/v1/models', authorization)), 'data');
  const openai = listAt(objectIn(await list('/v1/models', authorization)), 'data');
  const anthropic = objectIn(await list('/v1/models', { 'x-api-key': deployment.key, ...ANTHROPIC_VERSION }));
  const google = listAt(objectIn(await list('/v1beta/models', { 'x-goog-api-key': deployment.key })), 'models');
  const missing = [
    ...(openai.length > 0 ? [] : ["OpenAI's list at /v1/models"]),
    ...(valueAt(anthropic, 'has_more') !== undefined ? [] : ["Anthropic's list at /v1/models"]),
    ...(google.length > 0 ? [] : ["Google's list at /v1beta/models"]),
  ];
  const name = 'models';
  const findings: Finding[] =
    missing.length === 0
      ? [{ name, state: 'ok', detail: `${all.length}, in the lists of OpenAI's, Anthropic's and Google's clients` }]
      : [
          {
            ...{ name, state: 'fail', detail: `missing: ${missing.join(', ')}` },
            fix: 'Let the proxy pass GET requests below /v1 and /v1beta, and the headers anthropic-version, x-api-key and x-goog-api-key.',
          },
        ];
  const models = chosen(all.map(listed), asked);
  if (models.length === 0)
    findings.push({
      ...{
        name: 'model',
        state: 'fail',
        detail: asked === null ? 'none to call' : `${deployment.shown(asked)} is not in the list`,
      },
      fix: 'Name a model of the list with --model, and check which models the key may use.',
    });
  return { findings, models };
}

/** Without a wish, those that call tools, the cheapest first: what is checked costs money. */
function chosen(
  models: readonly (ListedModel & { readonly hasTools: boolean })[],
  asked: string | null,
): readonly ListedModel[] {
  if (asked !== null) return models.filter(({ id }) => id === asked).slice(0, 1);
  const paced = models.filter(({ id }) => id === 'demo/lorem');
  const priced = models.filter(({ hasTools, input, output }) => hasTools && input !== null && output !== null);
  const cheapest = priced.toSorted((one, other) => costOf(one) - costOf(other));
  // Of the demo models, this one writes at a pace that shows whether a proxy waits.
  const isDemoFirst = cheapest[0] === undefined || cheapest[0].id.startsWith('demo/');
  return isDemoFirst ? [...new Set([...paced, ...cheapest])] : cheapest;
}

function costOf({ input, output }: ListedModel): number {
  return (input ?? 0) + (output ?? 0);
}

function listed(model: unknown): ListedModel & { readonly hasTools: boolean } {
  const price = (...names: readonly string[]) => {
    const found = names.map((name) => Number(valueAt(model, 'pricing', name))).filter((value) => value >= 0);
    return found.length === 0 ? null : Math.max(...found);
  };
  return {
    id: String(valueAt(model, 'id')),
    input: price('prompt', 'input_cache_write'),
    output: price('completion', 'internal_reasoning'),
    request: price('request') ?? 0,
    hasTools: listAt(model, 'supported_parameters').includes('tools'),
  };
}
