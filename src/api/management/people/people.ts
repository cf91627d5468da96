/** Handlers for the people of the installation, for operators. */
import type { KeyRegistry } from '../../../accounts/key-registry.ts';
import type { Key } from '../../../accounts/keys.ts';
import type { ScopeMirror } from '../../../accounts/scope-mirror.ts';
import { isoTime } from '../../../core/calendar.ts';
import { GatewayError } from '../../../core/errors.ts';
import {
  type Ended,
  type EndKeys,
  NOTHING_ENDED,
  type People,
  type Person,
  type PersonChange,
} from '../../../members/people.ts';
import { changeTo } from '../../../members/visitor.ts';
import type { peopleRoutes } from '../../contract/people.ts';
import type { Context, Handlers } from '../door/handler.ts';
import { type AuditChange, keyUpdated } from '../keys/key-changes.ts';
import { noteRevoked } from '../keys/made-by.ts';

export interface PeopleServices {
  readonly people: Pick<People, 'list' | 'find' | 'makeOperator' | 'unmakeOperator' | 'disable' | 'enable'>;
  readonly keys: Pick<KeyRegistry, 'disableManagementKeysOf' | 'revokeManagementKeysOf'>;
  readonly scopes: Pick<ScopeMirror, 'findAccount'>;
}

export function peopleHandlers(services: PeopleServices): Handlers<typeof peopleRoutes> {
  const { people } = services;
  return {
    listPeople: async (_context, { query }) => {
      const { limit } = query;
      const after = query.cursor === undefined ? null : readCursor(query.cursor);
      const asked = { search: query.search?.toLowerCase() ?? '', operators: query.operators === 'true', after };
      // One more than the page shows whether there is a next page.
      const found = await people.list({ ...asked, limit: limit + 1 });
      const shown = found.slice(0, limit);
      const last = shown.at(-1);
      const hasMore = found.length > limit && last !== undefined;
      return {
        data: shown.map((person) => describe(services, person)),
        next_cursor: hasMore ? String(last.user.id) : null,
      };
    },

    updatePerson: async (context, { params, body }) => {
      const { user } = await people.find(params.person);
      const find = () => people.find(String(user.id));
      const ended: Ended[] = [];
      // Enable first: a disabled person cannot become an operator.
      if (body.disabled === false) ended.push(await changeDisabled(services, context, await find(), false));
      ended.push(await changeOperator(services, context, await find(), body.operator));
      if (body.disabled === true) ended.push(await changeDisabled(services, context, await find(), true));
      return {
        data: describe(services, await find()),
        ended: {
          management_keys: ended.reduce((sum, { managementKeys }) => sum + managementKeys, 0),
          invitations: ended.reduce((sum, { invitations }) => sum + invitations, 0),
        },
      };
    },
  };
}

async function changeOperator(
  services: PeopleServices,
  context: Context,
  person: Person,
  isOperator: boolean | undefined,
): Promise<Ended> {
  const { user } = person;
  if (isOperator === undefined || isOperator === user.isOperator) return NOTHING_ENDED;
  const change: PersonChange = {
    change: (work) => context.change(work),
    note: () =>
      context.audit({
        ...changeTo(user, 'user.update', { operator: isOperator }),
        before: { operator: user.isOperator },
      }),
  };
  if (!isOperator) return services.people.unmakeOperator(person, endKeys(services, context), change);
  await services.people.makeOperator(person, change);
  return NOTHING_ENDED;
}

async function changeDisabled(
  services: PeopleServices,
  context: Context,
  person: Person,
  isDisabled: boolean,
): Promise<Ended> {
  const { user } = person;
  const wasDisabled = user.disabledAt !== null;
  if (!isDisabled && !wasDisabled) return NOTHING_ENDED;
  const change: PersonChange = {
    change: (work) => context.change(work),
    async note() {
      if (isDisabled === wasDisabled) return;
      await context.audit({
        ...changeTo(user, isDisabled ? 'user.disable' : 'user.enable', { disabled: isDisabled }),
        before: { disabled: wasDisabled },
      });
    },
  };
  if (isDisabled) return services.people.disable(person, endKeys(services, context), change);
  await services.people.enable(person, change);
  return NOTHING_ENDED;
}

/** Each key that ends with a person gets an audit entry in its own account. */
function endKeys({ keys }: PeopleServices, context: Context): EndKeys {
  const audit = async (entry: AuditChange | null, { accountId }: Key) => {
    if (entry !== null) await context.audit({ ...entry, accountId });
  };
  return {
    async disableAll(userId) {
      const note = (before: Key, after: Key) => audit(keyUpdated(before, after), after);
      return (await keys.disableManagementKeysOf(`user:${userId}`, note)).length;
    },
    async revokeBut(userId, accounts) {
      const note = noteRevoked(audit);
      return (await keys.revokeManagementKeysOf(`user:${userId}`, accounts, note)).length;
    },
  };
}

function describe({ scopes }: PeopleServices, { user, memberships, lastSeenAt }: Person) {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    is_operator: user.isOperator,
    disabled_at: isoTime(user.disabledAt),
    totp: user.totpConfirmedAt !== null,
    created_at: isoTime(user.createdAt),
    last_seen_at: isoTime(lastSeenAt),
    accounts: memberships.map(({ accountId, role }) => ({
      id: accountId,
      name: scopes.findAccount(accountId)?.name ?? '',
      role,
    })),
  };
}

function readCursor(text: string): number {
  if (/^[1-9]\d{0,15}$/.test(text)) return Number(text);
  throw new GatewayError('invalid_value', {
    message: 'cursor is invalid; use the one from the previous page.',
    param: 'cursor',
  });
}
