/** A form as another reader than ours has it: Node's own. */
import { createHash } from 'node:crypto';
import type { JsonObject } from './strict-server.ts';

export interface ReceivedFile {
  readonly filename: string;
  readonly type: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Fields as strings, or lists of them if they are named so; files as `ReceivedFile`. Rejects for what is no form. */
export async function readForm(body: Buffer, contentType: string): Promise<JsonObject> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  const fields: Record<string, unknown> = {};
  for (const name of new Set(form.keys())) {
    const values = await Promise.all(
      form.getAll(name).map((value) => (typeof value === 'string' ? value : describe(value))),
    );
    if (values.length > 1 && !name.endsWith('[]')) throw new Error(`the field ${name} was sent twice`);
    fields[name] = name.endsWith('[]') ? values : values[0];
  }
  return fields;
}

async function describe(file: File): Promise<ReceivedFile> {
  const bytes = Buffer.from(await file.arrayBuffer());
  return { filename: file.name, type: file.type, bytes: bytes.length, sha256: sha256Of(bytes) };
}

export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
