import type { JsonDocument } from '../../wire/json-document.ts';
import type { Identified } from '../phases.ts';
import { type FormPorts, readForm } from '../uploads/read-form.ts';
import type { BodyPorts } from './body-reader.ts';
import { readBody } from './read-body.ts';

/** Reads a request as JSON, or as a form where its operation takes one. Rejects as `readBody` and `readForm` do. */
export function readRequest(ports: BodyPorts & FormPorts, call: Identified): Promise<JsonDocument> {
  const { operation, dialect, request } = call;
  const rules = operation.form?.(dialect) ?? null;
  if (rules === null || (rules.orJson && !isForm(request.headers['content-type']))) return readBody(ports, call);
  return readForm(ports, call, rules);
}

function isForm(contentType = ''): boolean {
  return /^\s*multipart\//i.test(contentType);
}
