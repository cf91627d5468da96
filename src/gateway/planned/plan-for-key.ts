/**
 * How a request with a key would be served, for whoever may see the key and does not have its secret. The request is made up: only its length
 * and what decides about its route are known. It takes the same steps as `serve-plan.ts`, without a connection: it is not counted in the
 * limits, and the addresses from which the key may be used are not judged.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { recheck } from '../../accounts/authenticate.ts';
import type { KeyMirror } from '../../accounts/key-mirror.ts';
import type { Key } from '../../accounts/keys.ts';
import type { ScopeMirror } from '../../accounts/scope-mirror.ts';
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import { type RelayDialectName, relayDialects } from '../../dialects/index.ts';
import { operations } from '../../operations/index.ts';
import { scanJson } from '../../wire/json-scan.ts';
import { permitOperation } from '../arrival/permit.ts';
import { Call } from '../call.ts';
import type { Arrived } from '../phases.ts';
import { type PlanCallPorts, planCall } from './plan-call.ts';
import { PlanNotes } from './plan-notes.ts';
import { type WrittenPlan, writeRefusedPlan } from './write-plan.ts';

export interface PlanForKeyPorts extends PlanCallPorts {
  readonly clock: Clock;
  readonly keys: KeyMirror;
  readonly scopes: ScopeMirror;
}

export interface MadeUpRequest {
  readonly format: RelayDialectName;
  readonly model: string;
  readonly models: readonly string[];
  /** As the field of a request has it; null for none. */
  readonly provider: object | null;
  /** What the caller calls its conversation; null for none. */
  readonly conversation: string | null;
  /** The length of its only message, in characters of one byte each. */
  readonly promptCharacters: number;
  /** In tokens; null for none. */
  readonly outputCap: number | null;
}

export interface PlanForKey extends WrittenPlan {
  /** Why the request would be refused; null if it would not. */
  readonly refusal: { readonly status: number; readonly code: string; readonly message: string } | null;
}

export async function planForKey(ports: PlanForKeyPorts, key: Key, asked: MadeUpRequest): Promise<PlanForKey> {
  const request = new IncomingMessage(new Socket());
  const { chat } = operations;
  const call = new Call(relayDialects[asked.format], chat, request, new ServerResponse(request), ports.clock);
  const notes = new PlanNotes();
  try {
    const current = recheck(key, ports.keys, call.admittedAt);
    const project = ports.scopes.project(current.projectId);
    const account = ports.scopes.account(current.accountId);
    permitOperation(chat.permission, current, project, account);
    const arrived: Arrived = Object.assign(call, { key: current, project, account, inbound: inboundOf(asked) });
    const plan = await planCall(ports, arrived, notes);
    return { refusal: null, ...(plan ?? writeRefusedPlan(asked.model, notes.all)) };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { status, code, message } = error;
    return { refusal: { status, code, message }, ...writeRefusedPlan(asked.model, notes.all) };
  } finally {
    call.memory?.release();
  }
}

function inboundOf({ format, model, models, provider, conversation, promptCharacters, outputCap }: MadeUpRequest) {
  const { exampleBody, costLimits, scan } = relayDialects[format];
  const body = {
    ...exampleBody(model, 'x'.repeat(promptCharacters)),
    [costLimits.outputCap]: outputCap ?? undefined,
    ...(models.length > 0 && { models }),
    ...(provider !== null && { provider }),
  };
  return {
    headers: conversation === null ? {} : { 'x-session-id': conversation },
    path: '',
    query: '',
    parameters: {},
    document: scanJson(Buffer.from(JSON.stringify(body)), scan),
  };
}
