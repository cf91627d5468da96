/** Routes of aliases: names of an account, a project or the installation that lead to models. */
import * as z from 'zod';
import { ALIAS_CHOICES } from '../../catalog/alias.ts';
import {
  ALIAS_NAME,
  ALIAS_NAME_MAX,
  ALIAS_NAME_RULE,
  ALIAS_TARGETS_MAX,
  ALIAS_WEIGHT_MAX,
} from '../../catalog/check-alias.ts';
import { accountQuery, done, id, idText, named, nothing, timeOrNull } from './fields.ts';
import { plainInput } from './inputs/text-input.ts';
import { declare, forCommands } from './route.ts';

export const aliasOut = z.strictObject({
  /** Null if it comes from the configuration file. */
  id: id.nullable(),
  name: z.string(),
  /** Whose it is. The narrowest one of a name is used: a project's, then its account's, then the installation's. */
  scope: z.enum(['installation', 'account', 'project']),
  /** Of an account's or a project's. */
  account: named.nullable(),
  project: named.nullable(),
  /** How one of the models is chosen: `key`, the same one for all calls of a key; `random`, another one for each call. */
  choice: z.enum(ALIAS_CHOICES),
  targets: z.array(
    z.strictObject({
      model: z.string(),
      /** The only provider to ask; null for all that serve the model. */
      provider: z.string().nullable(),
      /** 0: only if the others fail. */
      weight: z.int(),
      /** Whether it can be called now. */
      is_served: z.boolean(),
    }),
  ),
  /** `file`: read-only. */
  source: z.enum(['file', 'stored']),
  /** The configuration file has an alias of the installation with the same name, which is used instead. */
  is_shadowed: z.boolean(),
  created_at: timeOrNull,
  updated_at: timeOrNull,
});

const one = z.strictObject({ data: aliasOut });
const many = z.strictObject({ data: z.array(aliasOut) });
const params = z.strictObject({ alias: idText });

const fields = {
  choice: z.enum(ALIAS_CHOICES),
  targets: z
    .array(
      z.strictObject({
        /** A whole id, never another alias. */
        model: plainInput(200).trim().min(1),
        provider: plainInput(100).trim().min(1).nullish(),
        weight: z.int().min(0).max(ALIAS_WEIGHT_MAX).default(1),
      }),
    )
    .min(1)
    .max(ALIAS_TARGETS_MAX),
};
const name = z.string().trim().max(ALIAS_NAME_MAX).regex(ALIAS_NAME, ALIAS_NAME_RULE);
const newAlias = { name, choice: fields.choice.default('key'), targets: fields.targets };
const changes = z.strictObject({
  name: name.optional(),
  choice: fields.choice.optional(),
  targets: fields.targets.optional(),
});

const ofAccount = { doors: ['dashboard', 'management', 'control'], query: accountQuery } as const;
const ofInstallation = { needs: 'operator', doors: ['dashboard', 'control'], query: nothing } as const;

export const aliasRoutes = {
  listAliases: declare({
    ...ofAccount,
    needs: 'viewer',
    method: 'GET',
    path: '/aliases',
    summary: 'List aliases of the account, its projects and the installation',
    params: nothing,
    body: nothing,
    answer: many,
  }),
  listAllAliases: declare({
    ...forCommands,
    method: 'GET',
    path: '/all/aliases',
    summary: 'List aliases of the installation and of all accounts',
    params: nothing,
    query: nothing,
    body: nothing,
    answer: many,
  }),
  createAlias: declare({
    ...ofAccount,
    needs: 'admin',
    method: 'POST',
    path: '/aliases',
    summary: 'Create an alias of the account or of a project; applies to the next request',
    params: nothing,
    body: z.strictObject({
      ...newAlias,
      /** A project's id or name; by default the alias is for the whole account. */
      project: z.union([id, z.string().max(80)]).nullish(),
    }),
    answer: one,
    status: 201,
    idempotent: true,
  }),
  updateAlias: declare({
    ...ofAccount,
    needs: 'admin',
    method: 'PATCH',
    path: '/aliases/:alias',
    summary: 'Update an alias; running calls are not affected',
    params,
    body: changes,
    answer: one,
  }),
  deleteAlias: declare({
    ...ofAccount,
    needs: 'admin',
    method: 'DELETE',
    path: '/aliases/:alias',
    summary: 'Delete an alias',
    params,
    body: nothing,
    answer: done,
  }),
  createInstallationAlias: declare({
    ...ofInstallation,
    method: 'POST',
    path: '/installation-aliases',
    summary: 'Create an alias for all accounts',
    params: nothing,
    body: z.strictObject(newAlias),
    answer: one,
    status: 201,
    idempotent: true,
  }),
  updateInstallationAlias: declare({
    ...ofInstallation,
    method: 'PATCH',
    path: '/installation-aliases/:alias',
    summary: 'Update an alias for all accounts',
    params,
    body: changes,
    answer: one,
  }),
  deleteInstallationAlias: declare({
    ...ofInstallation,
    method: 'DELETE',
    path: '/installation-aliases/:alias',
    summary: 'Delete an alias for all accounts',
    params,
    body: nothing,
    answer: done,
  }),
};
