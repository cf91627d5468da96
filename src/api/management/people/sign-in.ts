/** Handlers for sign-in, sign-up and links: each passes the request to a service, and the resulting token to the cookie. */

import type { ScopeRegistry } from '../../../accounts/scope-registry.ts';
import type { BillingMode } from '../../../billing/billing-mode.ts';
import { noLink } from '../../../members/links.ts';
import type { Link, MembershipStore, User, UserId, UserStore } from '../../../members/ports.ts';
import type { Admission } from '../../../members/sessions.ts';
import type { SignInServices } from '../../../members/sign-in-services.ts';
import type { SignUpRule } from '../../../members/sign-up.ts';
import type { Declared, RouteAnswer, RouteInput } from '../../contract/route.ts';
import type { signInRoutes } from '../../contract/sign-in.ts';
import { oldestFirst, type Standing } from '../door/choose-account.ts';
import type { Context, Handler, Handlers } from '../door/handler.ts';

export interface SignInRouteServices {
  readonly signInServices: Pick<
    SignInServices,
    | 'sessions'
    | 'links'
    | 'attempts'
    | 'devices'
    | 'signIn'
    | 'signUp'
    | 'setUp'
    | 'changePassword'
    | 'acceptInvitation'
  >;
  readonly users: Pick<UserStore, 'user' | 'userByEmail'>;
  readonly memberships: Pick<MembershipStore, 'membershipsOf'>;
  readonly scopes: Pick<ScopeRegistry, 'accounts'>;
  readonly installation: Installation;
}

export interface Installation {
  readonly version: string;
  readonly signUp: SignUpRule;
  /** Whether somebody who is not signed in sees the models. */
  readonly publicModels: boolean;
  /** Whether a mail server is configured. */
  readonly mail: boolean;
  readonly billingMode: BillingMode;
  /** The base URL for callers. */
  baseUrl(): string;
}

type Routes = typeof signInRoutes;
const DONE = { data: { done: true } } as const;

export function signInHandlers(services: SignInRouteServices): Handlers<Routes> {
  const { signIn, signUp, setUp, changePassword, acceptInvitation } = services.signInServices;
  return {
    readSession: readSession(services),
    signIn: admitting(services, (context, { body }) => signIn.withPassword(context, body)),
    signInWithCode: admitting(services, (context, { body }) => signIn.withCode(context, body.code)),
    async signOut(context) {
      await signIn.out(context);
      if (context.sessionToken !== null) context.setSession(null);
      return DONE;
    },
    readLink: readLink(services),
    setUp: admitting(services, (context, { body }) => setUp.finish(context, body.token, body)),
    async signUp(context, { body }) {
      await signUp.ask(context, body);
      return DONE;
    },
    confirmEmail: admitting(services, (context, { body }) => signUp.confirm(context, body.token)),
    async acceptInvitation(context, { body }) {
      // Check first, so that the invitation is not used up if they could not sign in next.
      context.checkCarriesSession();
      return { data: { status: await acceptInvitation.accept(context, body.token, body) } };
    },
    async forgotPassword(context, { body }) {
      await changePassword.forgotten(context, body.email);
      return DONE;
    },
    resetPassword: admitting(services, (context, { body }) => changePassword.reset(context, body.token, body.password)),
  };
}

/** Sets the session cookie for an admitted person. */
function admitting<Route extends Declared>(
  { signInServices }: SignInRouteServices,
  admit: (context: Context, input: RouteInput<Route>) => Promise<Admission>,
): (context: Context, input: RouteInput<Route>) => Promise<RouteAnswer<Routes['signIn']>> {
  return async (context, input) => {
    context.checkCarriesSession();
    const admission = await admit(context, input);
    context.setSession(admission.token);
    // Only after a complete sign-in: the password alone does not prove enough.
    if (admission.status === 'signed_in')
      context.setDevice(signInServices.devices.remember(context.deviceToken, admission.user.email));
    return { data: { status: admission.status } };
  };
}

function readSession(services: SignInRouteServices): Handler<Routes['readSession']> {
  const { signInServices, installation } = services;
  return async ({ sessionToken }) => {
    const found = sessionToken === null ? null : await signInServices.sessions.sessionOf(sessionToken);
    const user = found !== null && found.session.state === 'full' ? found.user : null;
    return {
      data: {
        user: user === null ? null : describeUser(user),
        awaits_totp: found !== null && user === null,
        ...(user === null ? { accounts: [], more_accounts: false } : await accountsOf(user, services)),
        installation: {
          version: installation.version,
          set_up: await signInServices.setUp.isDone(),
          sign_up: installation.signUp,
          public_models: installation.publicModels,
          mail: installation.mail,
          billing_mode: installation.billingMode,
          base_url: installation.baseUrl(),
        },
      },
    };
  };
}

function describeUser(user: User) {
  const { id, email, name, isOperator, totpConfirmedAt } = user;
  return { id, email, name, is_operator: isOperator, totp: totpConfirmedAt !== null };
}

/** Every page needs them; an operator may have ten thousand. */
const ACCOUNTS_MAX = 200;

/** In the order of preference of `chooseAccount`. */
async function accountsOf(user: User, { memberships, scopes }: SignInRouteServices) {
  const all = new Map(scopes.accounts().map((account) => [account.id, account]));
  const own = oldestFirst(await memberships.membershipsOf(user.id)).flatMap(({ accountId, role }): Standing[] => {
    const account = all.get(accountId);
    all.delete(accountId);
    return account === undefined ? [] : [{ account, role: user.isOperator ? 'owner' : role }];
  });
  const others = user.isOperator ? [...all.values()].map((account): Standing => ({ account, role: 'owner' })) : [];
  const known = [...openFirst(own), ...openFirst(others)];
  const shown = openFirst(user.isOperator ? known.slice(0, ACCOUNTS_MAX) : known);
  return {
    accounts: shown.map(({ account, role }) => ({
      id: account.id,
      name: account.name,
      role,
      closed: account.closedAt !== null,
    })),
    more_accounts: shown.length < known.length,
  };
}

function openFirst(standings: readonly Standing[]): Standing[] {
  return standings.toSorted((a, b) => Number(a.account.closedAt !== null) - Number(b.account.closedAt !== null));
}

function readLink({ signInServices, users, scopes }: SignInRouteServices): Handler<Routes['readLink']> {
  const { attempts, links, setUp, acceptInvitation } = signInServices;
  return async ({ ip, sessionToken }, { body }) => {
    const attempt = await attempts.beginLink(ip);
    const link = await links.find(body.token, undefined, await signedInAs(signInServices, sessionToken));
    await attempt.succeeded();
    if (link.purpose === 'setup' && (await setUp.isDone())) throw noLink();
    if (link.purpose === 'invitation') await acceptInvitation.checkOpen(link);
    const person = await personOf(link, users);
    const account = scopes.accounts().find(({ id }) => id === link.accountId) ?? null;
    return {
      data: {
        purpose: link.purpose,
        email: link.email ?? person?.email ?? null,
        account: account?.name ?? null,
        role: link.role,
        expires_at: new Date(link.expiresAt).toISOString(),
      },
    };
  };
}

async function signedInAs(
  { sessions }: Pick<SignInServices, 'sessions'>,
  token: string | null,
): Promise<UserId | null> {
  const found = token === null ? null : await sessions.sessionOf(token);
  return found !== null && found.session.state === 'full' ? found.user.id : null;
}

async function personOf(link: Link, users: SignInRouteServices['users']): Promise<User | null> {
  if (link.userId !== null) return users.user(link.userId);
  return link.email === null ? null : users.userByEmail(link.email);
}
