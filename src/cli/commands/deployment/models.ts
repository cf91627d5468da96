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

/** `model` is null if there is none to call. */
export async function checkModels(
  deployment: Deployment,
  asked: string | null,
): Promise<{ readonly findings: readonly Finding[]; readonly model: ListedModel | null }> {
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
  const model = chosen(all.map(listed), asked);
  if (model === null)
    findings.push({
      ...{
        name: 'model',
        state: 'fail',
        detail: asked === null ? 'none to call' : `${deployment.shown(asked)} is not in the list`,
      },
      fix: 'Name a model of the list with --model, and check which models the key may use.',
    });
  return { findings, model };
}

/** Without a wish, the cheapest that calls tools: what is checked costs money. */
function chosen(
  models: readonly (ListedModel & { readonly hasTools: boolean })[],
  asked: string | null,
): ListedModel | null {
  if (asked !== null) return models.find(({ id }) => id === asked) ?? null;
  const paced = models.find(({ id }) => id === 'demo/lorem');
  const priced = models.filter(({ hasTools, input, output }) => hasTools && input !== null && output !== null);
  const cheapest = priced.toSorted((one, other) => costOf(one) - costOf(other))[0];
  // Of the demo models, this one writes at a pace that shows whether a proxy waits.
  return cheapest === undefined || (paced !== undefined && cheapest.id.startsWith('demo/'))
    ? (paced ?? null)
    : cheapest;
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
