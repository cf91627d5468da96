/** Handlers for aliases: list, create, change weights, delete. */
import type { Project } from '../../../accounts/ports.ts';
import type { ScopeRegistry } from '../../../accounts/scope-registry.ts';
import type { Alias, AliasRule, AliasScope } from '../../../catalog/alias.ts';
import type { AliasRegistry } from '../../../catalog/alias-registry.ts';
import type { Catalog } from '../../../catalog/model.ts';
import { GatewayError } from '../../../core/errors.ts';
import { type AccountId, type AliasId, aliasId } from '../../../core/ids.ts';
import type { aliasRoutes } from '../../contract/aliases.ts';
import type { RouteInput } from '../../contract/route.ts';
import { findNamed } from '../accounts/find-scope.ts';
import type { Context, Handlers } from '../door/handler.ts';
import {
  aliasCreated,
  aliasDeleted,
  aliasUpdated,
  describeAlias,
  describeFixed,
  type Whose,
} from './describe-alias.ts';

export interface AliasServices {
  readonly aliases: Pick<AliasRegistry, 'mirror' | 'create' | 'update' | 'delete'>;
  readonly scopes: Pick<ScopeRegistry, 'accounts' | 'projects'>;
  /** The current one. */
  readonly catalog: Catalog;
}

type Created = RouteInput<(typeof aliasRoutes)['createInstallationAlias']>['body'];
type Changed = RouteInput<(typeof aliasRoutes)['updateAlias']>['body'];

const SHARED: AliasScope = { accountId: null, projectId: null };

export function aliasHandlers(services: AliasServices): Handlers<typeof aliasRoutes> {
  const { aliases, scopes } = services;
  const describe = (alias: Alias) =>
    describeAlias(alias, services.catalog, whoseOf(services, alias), isShadowed(alias));
  const isShadowed = ({ accountId, name }: Alias) => accountId === null && aliases.mirror.isFixed(name);
  const listed = (isListed: (alias: Alias) => boolean) => [
    ...aliases.mirror.fixed().map((rule) => describeFixed(rule, services.catalog)),
    ...aliases.mirror.all().filter(isListed).map(describe),
  ];

  const create = async (context: Context, scope: AliasScope, body: Created) => {
    const made = await context.change(async () => {
      const alias = await aliases.create(scope, { name: body.name, choice: body.choice, targets: targetsOf(body) });
      await context.audit(aliasCreated(alias));
      return alias;
    });
    return { data: describe(made) };
  };

  const update = async (context: Context, account: AccountId | null, id: number, body: Changed) => {
    const { after } = await context.change(async () => {
      const changed = await aliases.update(find(services, account, id), changesOf(body));
      const entry = aliasUpdated(changed.before, changed.after);
      if (entry !== null) await context.audit(entry);
      return changed;
    });
    return { data: describe(after) };
  };

  const remove = async (context: Context, account: AccountId | null, id: number) => {
    await context.change(async () => context.audit(aliasDeleted(await aliases.delete(find(services, account, id)))));
    return { data: { done: true as const } };
  };

  return {
    listAliases: ({ account }) => ({
      data: listed(({ accountId }) => accountId === null || accountId === account.id),
    }),
    listAllAliases: () => ({ data: listed(() => true) }),
    createAlias: (context, { body }) => {
      const { id: accountId } = context.account;
      const projectId =
        body.project == null ? null : findNamed(projectsOf(scopes, accountId), body.project, 'project').id;
      return create(context, { accountId, projectId }, body);
    },
    updateAlias: (context, { params, body }) => update(context, context.account.id, params.alias, body),
    deleteAlias: (context, { params }) => remove(context, context.account.id, params.alias),
    createInstallationAlias: (context, { body }) => create(context, SHARED, body),
    updateInstallationAlias: (context, { params, body }) => update(context, null, params.alias, body),
    deleteInstallationAlias: (context, { params }) => remove(context, null, params.alias),
  };
}

/** Of this account, or the installation's (null); one of another account does not exist here. Throws `GatewayError` `not_found`. */
function find({ aliases }: AliasServices, account: AccountId | null, id: number): AliasId {
  const found = aliases.mirror.get(aliasId(id));
  if (found === undefined || found.accountId !== account)
    throw new GatewayError('not_found', { message: 'No alias matches.', param: 'alias' });
  return found.id;
}

function projectsOf(scopes: AliasServices['scopes'], account: AccountId): readonly Project[] {
  return scopes.projects().filter(({ accountId }) => accountId === account);
}

function whoseOf({ scopes }: AliasServices, { accountId, projectId }: AliasScope): Whose {
  const account = scopes.accounts().find(({ id }) => id === accountId);
  const project = scopes.projects().find(({ id }) => id === projectId);
  return {
    account: account === undefined ? null : { id: account.id, name: account.name },
    project: project === undefined ? null : { id: project.id, name: project.name },
  };
}

function targetsOf({ targets }: Pick<Created, 'targets'>): AliasRule['targets'] {
  return targets.map(({ model, provider, weight }) => ({ model, provider: provider ?? null, weight }));
}

function changesOf({ name, choice, targets }: Changed): Partial<AliasRule> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(choice === undefined ? {} : { choice }),
    ...(targets === undefined ? {} : { targets: targetsOf({ targets }) }),
  };
}
