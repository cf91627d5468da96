/** Handlers for own credentials: list, create, change, rotate, test, delete. */
import type { Account, Project } from '../../../accounts/ports.ts';
import type { ScopeMirror } from '../../../accounts/scope-mirror.ts';
import type { OwnCredentialEntry } from '../../../byok/own-credential-entry.ts';
import type { OwnCredentialNews, OwnCredentialRegistry } from '../../../byok/own-credential-registry.ts';
import { findOwnKind, ownKinds } from '../../../byok/own-provider.ts';
import type { OwnCredentialId } from '../../../byok/ports.ts';
import { GatewayError } from '../../../core/errors.ts';
import type { ProjectId } from '../../../core/ids.ts';
import { changedFields } from '../../../members/audit-log.ts';
import type { TestConnection } from '../../../probe/test-connection.ts';
import type { byokRoutes } from '../../contract/byok.ts';
import type { Change, Handlers } from '../door/handler.ts';
import { projectForKey, projectOf, workspaceOf } from '../keys/project-of-key.ts';
import { describeKind, describeReport } from '../providers/describe-provider.ts';
import { audited, describeOwnCredential, standingOf, subjectOf } from './describe-own-credential.ts';
import { editsOf, secretOf } from './own-credential-input.ts';

export interface ByokServices {
  readonly own: Pick<OwnCredentialRegistry, 'of' | 'find' | 'create' | 'update' | 'rotate' | 'delete' | 'note'>;
  readonly scopes: Pick<ScopeMirror, 'projects' | 'findProject'>;
  readonly testConnection: TestConnection;
}

export function byokHandlers(services: ByokServices): Handlers<typeof byokRoutes> {
  const { own, scopes, testConnection } = services;
  const describe = (entry: OwnCredentialEntry) =>
    describeOwnCredential(entry, projectNamed(scopes, entry.stored.projectId));
  const described = ({ id }: Account, credential: OwnCredentialId) => ({ data: describe(own.find(id, credential)) });
  return {
    listOwnProviders: () => ({ data: ownKinds().map(withoutOperators) }),

    listOwnCredentials: ({ account }, { query }) => {
      const kind = query.provider === undefined ? null : findOwnKind(query.provider).name;
      const workspace = workspaceOf(query.workspace_id);
      const project = workspace === null ? null : projectOf(scopes, account.id, workspace);
      const found = own
        .of(account.id)
        .filter(({ stored }) => kind === null || stored.kind === kind)
        .filter(({ stored }) => project === null || stored.projectId === project.id);
      const page = found.slice(query.offset, query.offset + query.limit);
      return { data: page.map(describe), total_count: found.length };
    },

    createOwnCredential: async (context, { body }) => {
      const { account } = context;
      const isOfProject = (body.project ?? body.workspace_id ?? null) !== null;
      const projectId = isOfProject ? projectForKey(scopes, account.id, body).id : null;
      const kind = findOwnKind(body.provider).name;
      const edits = editsOf(body);
      const secret = secretOf(body.key);
      const { id } = await context.change(async () => {
        const made = await own.create({
          origin: null,
          models: null,
          use: 'first',
          fallback: false,
          enabled: true,
          ...edits,
          options: edits.options ?? {},
          accountId: account.id,
          projectId,
          kind,
          name: body.name ?? freeName(own.of(account.id), projectId, kind),
          secret,
          createdBy: context.actorId,
        });
        await context.audit({
          action: 'own_credential.create',
          subject: subjectOf(made),
          before: null,
          after: { ...audited(made), project: projectId },
        });
        return made;
      });
      return described(account, id);
    },

    readOwnCredential: ({ account }, { params }) => ({ data: describe(own.find(account.id, params.credential)) }),

    updateOwnCredential: async (context, { params, body }) => {
      const { account } = context;
      const edits = editsOf(body);
      const secret = body.key === undefined ? {} : { secret: secretOf(body.key) };
      const name = body.name === undefined || body.name === null ? {} : { name: body.name };
      const { after } = await context.change(async () => {
        const news = await own.update(account.id, params.credential, { ...edits, ...name, ...secret });
        const entry = changeOf('own_credential.update', news, body.key !== undefined);
        if (entry !== null) await context.audit(entry);
        return news;
      });
      return described(account, after.id);
    },

    rotateOwnCredential: async (context, { params, body }) => {
      const { account } = context;
      const secret = secretOf(body.key);
      const { after } = await context.change(async () => {
        const news = await own.rotate(account.id, params.credential, secret, body.overlap_ms);
        const entry = changeOf('own_credential.rotate', news, true);
        if (entry !== null) await context.audit(entry);
        return news;
      });
      return described(account, after.id);
    },

    testOwnCredential: async (context, { params }) => {
      const { service, problem, stored } = own.find(context.account.id, params.credential);
      if (service === null) throw new GatewayError('conflict', problem === null ? {} : { message: problem });
      const report = await testConnection(service, { endsTrouble: false });
      await own.note(stored.id, standingOf(report));
      return { data: describeReport(report) };
    },

    deleteOwnCredential: async (context, { params }) => {
      await context.change(async () => {
        const before = await own.delete(context.account.id, params.credential);
        await context.audit({
          action: 'own_credential.delete',
          subject: subjectOf(before),
          before: { ...audited(before), project: before.projectId },
          after: null,
        });
      });
      return { deleted: true };
    },
  };
}

/** Null if nothing changed. Two secrets may have the same hint, so a new one is recorded separately. */
function changeOf(action: string, { before, after }: OwnCredentialNews, isGivenAgain: boolean): Change | null {
  const fields = changedFields(audited(before), audited(after));
  if (fields.after === null && !isGivenAgain) return null;
  return {
    action,
    subject: subjectOf(after),
    before: fields.before,
    after: { ...fields.after, ...(isGivenAgain ? { access: 'changed' } : {}) },
  };
}

function projectNamed(scopes: ByokServices['scopes'], id: ProjectId | null): Project | null {
  return id === null ? null : (scopes.findProject(id) ?? null);
}

/** `openai`, `openai 2`, … within a scope. */
function freeName(entries: readonly OwnCredentialEntry[], projectId: ProjectId | null, kind: string): string {
  const taken = new Set(
    entries.filter(({ stored }) => stored.projectId === projectId).map(({ stored }) => stored.name),
  );
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? kind : `${kind} ${number}`;
    if (!taken.has(name)) return name;
  }
}

/** A credential must come with the request: the machine's own are the operator's. */
function withoutOperators(kind: Parameters<typeof describeKind>[0]) {
  const { options, ...rest } = describeKind(kind);
  return { ...rest, needs_credential: true, options: options.filter(({ name }) => name !== 'credential_from') };
}
