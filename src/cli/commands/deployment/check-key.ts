/** Whether the key is valid, and what it may do. */
import { type Deployment, listAt, objectIn, valueAt } from './deployment.ts';
import type { Finding } from './finding.ts';

const LOW_USD = 0.05;

/** `isValid` is false if no call can be made with it. */
export async function checkKey(
  deployment: Deployment,
): Promise<{ readonly findings: readonly Finding[]; readonly isValid: boolean }> {
  const name = 'key';
  const reply = await deployment.ask({
    ...{ method: 'GET', path: '/api/v1/key' },
    headers: { authorization: `Bearer ${deployment.key}` },
  });
  const data = valueAt(objectIn(reply), 'data');
  if (reply.status === 401)
    return refused(
      name,
      'refused with 401',
      'Check that the key is whole, not revoked and not expired, and that the proxy passes Authorization.',
    );
  if (reply.status === 403)
    return refused(name, 'refused with 403', 'Check from which addresses the key may be used, and what its kind is.');
  if (reply.status !== 200 || data === undefined)
    return refused(name, `cannot be read: status ${reply.status}`, 'Let the proxy pass the paths below /api/v1 too.');
  const label = deployment.shown(String(valueAt(data, 'label') ?? ''));
  const findings: Finding[] = [{ name, state: 'ok', detail: [label, ...permissionWords(deployment, data)].join(', ') }];
  const remaining = valueAt(data, 'binding', 'available');
  if (typeof remaining === 'number' && remaining < LOW_USD)
    findings.push({
      ...{ name: 'money', state: 'warn', detail: `$${remaining} is left for this key` },
      fix: 'Top up the account, or raise the budget.',
    });
  return { findings, isValid: true };
}

function refused(name: string, detail: string, fix: string) {
  return { findings: [{ name, state: 'fail', detail, fix } as const], isValid: false };
}

/** What the three scopes allow, in words. */
function permissionWords(deployment: Deployment, data: unknown): readonly string[] {
  const scopes = ['key', 'project', 'account'];
  const lists = (field: string) => scopes.flatMap((scope) => listAt(data, 'permissions', scope, field)).map(String);
  const limit = scopes
    .map((scope) => valueAt(data, 'limits', scope, 'requests_per_minute'))
    .find((value) => typeof value === 'number');
  return [
    lists('models_allow').length === 0 ? 'all models' : `models ${deployment.shown(lists('models_allow').join(', '))}`,
    ...(lists('operations').length === 0 ? [] : [`operations ${deployment.shown(lists('operations').join(', '))}`]),
    ...(limit === undefined ? [] : [`${limit} requests per minute`]),
  ];
}
