/** Routes of an account's projects. */
import * as z from 'zod';
import {
  accountQuery,
  count,
  id,
  limitsOut,
  named,
  nothing,
  permissionsOut,
  restrictedOut,
  time,
  timeOrNull,
  usdOut,
} from './fields.ts';
import { limitsInput, permissionsInput } from './inputs/limits-input.ts';
import { nameInput } from './inputs/text-input.ts';
import { declare, forCommands } from './route.ts';

export const projectOut = z.strictObject({
  id,
  name: z.string(),
  created_at: time,
  archived_at: timeOrNull,
  /** Keys that are good. */
  keys: count,
  usage: usdOut,
  usage_daily: usdOut,
  usage_weekly: usdOut,
  usage_monthly: usdOut,
  limits: limitsOut,
  permissions: permissionsOut,
  restricted: restrictedOut,
});
const one = z.strictObject({ data: projectOut });
const params = z.strictObject({ project: z.string().max(80) });
const doors = ['dashboard', 'management', 'control'] as const;

export const projectRoutes = {
  listProjects: declare({
    method: 'GET',
    path: '/projects',
    summary: 'List projects of the account, oldest first',
    needs: 'viewer',
    doors,
    params: nothing,
    query: accountQuery.extend({ include_archived: z.enum(['true', 'false']).default('false') }),
    body: nothing,
    answer: z.strictObject({ data: z.array(projectOut) }),
  }),
  listAllProjects: declare({
    ...forCommands,
    method: 'GET',
    path: '/all/projects',
    summary: 'List projects of all accounts, oldest first',
    params: nothing,
    query: z.strictObject({ include_archived: z.enum(['true', 'false']).default('false') }),
    body: nothing,
    answer: z.strictObject({ data: z.array(projectOut.extend({ account: named })) }),
  }),
  createProject: declare({
    method: 'POST',
    path: '/projects',
    summary: 'Create a project',
    needs: 'admin',
    doors,
    params: nothing,
    query: accountQuery,
    body: z.strictObject({
      name: nameInput,
      limits: limitsInput.default({}),
      permissions: permissionsInput.default({}),
    }),
    answer: one,
    status: 201,
    idempotent: true,
  }),
  readProject: declare({
    method: 'GET',
    path: '/projects/:project',
    summary: 'Get a project',
    needs: 'viewer',
    doors,
    params,
    query: accountQuery,
    body: nothing,
    answer: one,
  }),
  updateProject: declare({
    method: 'PATCH',
    path: '/projects/:project',
    summary: 'Update a project; the keys of an archived project are refused',
    needs: 'admin',
    doors,
    params,
    query: accountQuery,
    body: z.strictObject({
      name: nameInput.optional(),
      archived: z.boolean().optional(),
      limits: limitsInput.default({}),
      permissions: permissionsInput.default({}),
    }),
    answer: one,
  }),
};
