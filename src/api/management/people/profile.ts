/** Handlers for a person's own name, password, second factor and sessions. */
import { GatewayError } from '../../../core/errors.ts';
import type { Session, SessionId, User, UserStore } from '../../../members/ports.ts';
import { qrCode } from '../../../members/second-factor/qr-code.ts';
import type { SignInServices } from '../../../members/sign-in-services.ts';
import { personalChange } from '../../../members/visitor.ts';
import type { profileRoutes } from '../../contract/profile.ts';
import type { Context, Handler, Handlers } from '../door/handler.ts';

export interface ProfileServices {
  readonly signInServices: Pick<SignInServices, 'sessions' | 'secondFactor' | 'changePassword'>;
  readonly users: Pick<UserStore, 'updateUser'>;
}

type Routes = typeof profileRoutes;
const DONE = { data: { done: true } } as const;

export function profileHandlers(services: ProfileServices): Handlers<Routes> {
  const { secondFactor } = services.signInServices;
  return {
    readProfile: ({ user }) => ({ data: describe(user) }),
    updateProfile: updateProfile(services),
    changePassword: changePassword(services),
    async startTotp(context, { body }) {
      const { secret, uri } = await secondFactor.start(context, context.user, body.password);
      return { data: { secret, uri, qr: qrCode(uri) } };
    },
    async confirmTotp(context, { body }) {
      const codes = await secondFactor.confirm(context, context.user, body.code);
      return { data: { recovery_codes: [...codes] } };
    },
    async removeTotp(context, { body }) {
      await secondFactor.remove(context, context.user, body);
      return DONE;
    },
    async renewRecoveryCodes(context, { body }) {
      const codes = await secondFactor.renewRecoveryCodes(context, context.user, body.code);
      return { data: { recovery_codes: [...codes] } };
    },
    listSessions: listSessions(services),
    endSession: endSession(services),
    endOtherSessions: endOtherSessions(services),
  };
}

function describe(user: User) {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    is_operator: user.isOperator,
    totp: user.totpConfirmedAt !== null,
    recovery_codes_left: user.recoveryCodes.length,
    created_at: new Date(user.createdAt).toISOString(),
  };
}

function updateProfile({ users }: ProfileServices): Handler<Routes['updateProfile']> {
  return async (context, { body: { name } }) => {
    const { user } = context;
    if (name === user.name) return { data: describe(user) };
    const changed = await context.change(async () => {
      const updated = await users.updateUser(user.id, { name });
      await context.audit({ ...personalChange(user, 'user.update', { name }), before: { name: user.name } });
      return updated;
    });
    return { data: describe(changed ?? user) };
  };
}

function changePassword({ signInServices }: ProfileServices): Handler<Routes['changePassword']> {
  return async (context, { body }) => {
    context.checkCarriesSession();
    const given = { current: body.current_password, next: body.new_password };
    const { token } = await signInServices.changePassword.change(context, context.user, given);
    context.setSession(token);
    return DONE;
  };
}

function listSessions({ signInServices }: ProfileServices): Handler<Routes['listSessions']> {
  return async (context) => {
    const current = currentSession(context);
    const sessions = await signInServices.sessions.list(context.user.id);
    return {
      data: sessions.map((session) => ({
        id: session.id,
        is_current: session.id === current,
        created_at: new Date(session.createdAt).toISOString(),
        last_seen_at: new Date(session.lastSeenAt).toISOString(),
        expires_at: new Date(session.expiresAt).toISOString(),
        ip: session.ip,
        user_agent: session.userAgent,
      })),
    };
  };
}

function endSession({ signInServices }: ProfileServices): Handler<Routes['endSession']> {
  return async (context, { params }) => {
    const id = (/^[1-9]\d{0,14}$/.test(params.session) ? Number(params.session) : 0) as SessionId;
    await context.change(async () => {
      const ended = await signInServices.sessions.end(context.user.id, id);
      if (!ended) throw new GatewayError('not_found', { message: 'The session does not exist.', param: 'session' });
      await context.audit(personalChange(context.user, 'user.session_end', { session: id }));
    });
    if (id === currentSession(context)) context.setSession(null);
    return DONE;
  };
}

function endOtherSessions({ signInServices }: ProfileServices): Handler<Routes['endOtherSessions']> {
  return async (context) => {
    await context.change(async () => {
      await signInServices.sessions.endAll(context.user.id, currentSession(context));
      await context.audit(personalChange(context.user, 'user.session_end', { session: 'all others' }));
    });
    return DONE;
  };
}

function currentSession({ actor }: Context): Session['id'] | null {
  return actor.kind === 'user' ? actor.session.id : null;
}
