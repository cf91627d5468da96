/**
 * Takes, lists, shows, sends and deletes files of a project. Rights and limits are those of a call, with a permission of their own; it costs
 * nothing and leaves no record. A file of another project gets the same answer as an unknown one.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { defaultCallerDialect } from '../../dialects/index.ts';
import type { CallersFiles } from '../../files/callers-files.ts';
import { operations } from '../../operations/index.ts';
import { type EnterCountedPorts, enterCounted } from '../arrival/enter-counted.ts';
import { judgeAgain } from '../arrival/judge.ts';
import { Call } from '../call.ts';
import { checkGoesOn } from '../check-goes-on.ts';
import { type EndPorts, endCall } from '../end/end-call.ts';
import { type ReplyPorts, replyFailure } from '../end/reply-error.ts';
import { sendBody } from '../end/send-body.ts';
import type { Identified } from '../phases.ts';
import { deletedObject, fileObject, listObject } from './file-object.ts';
import type { FileRequest } from './file-routes.ts';
import { readPage } from './read-page.ts';
import { type ReceivePorts, receiveFile } from './receive-file.ts';
import { type ContentPorts, sendContent } from './send-content.ts';

export type FilePorts = EnterCountedPorts &
  ReplyPorts &
  EndPorts &
  ReceivePorts &
  ContentPorts & { readonly files: Pick<CallersFiles, 'begin' | 'find' | 'list' | 'delete' | 'contents'> };

/** Resolves when the caller has its answer or has disconnected; never rejects. */
export async function serveFiles(
  ports: FilePorts,
  asked: FileRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call = new Call(defaultCallerDialect, operations.chat, request, response, ports.clock, 'batches');
  // Refusals are private to the key as well.
  response.setHeader('cache-control', 'no-store');
  try {
    const entered = await enterCounted(ports, call, asked.query);
    if (asked.action === 'content') await sendContent(ports, entered, await find(ports, entered, asked.id));
    else reply(entered, await answer(ports, entered, asked));
  } catch (error) {
    await replyFailure(ports, call, error);
  } finally {
    await endCall(ports, call);
  }
}

async function answer(ports: FilePorts, call: Identified, { action, id, query }: FileRequest): Promise<object> {
  const { files } = ports;
  const { projectId } = call.key;
  switch (action) {
    case 'upload':
      return fileObject(await receiveFile(ports, call));
    case 'list': {
      const page = readPage(query);
      const list = page === null ? { files: [], hasMore: false } : await files.list(projectId, page);
      goOn(ports, call);
      return listObject(list);
    }
    case 'delete':
      return deletedObject(await files.delete(projectId, id));
    default:
      return fileObject(await find(ports, call, id));
  }
}

async function find(ports: FilePorts, call: Identified, id: string) {
  const file = await ports.files.find(call.key.projectId, id);
  goOn(ports, call);
  return file;
}

/** The storage was asked meanwhile. */
function goOn(ports: FilePorts, call: Identified): void {
  checkGoesOn(call);
  judgeAgain(ports, call);
}

function reply(call: Call, value: object): void {
  const body = Buffer.from(JSON.stringify(value));
  call.status = 200;
  call.countSent(body);
  const headers = [...call.idHeaders(), 'content-type', 'application/json', 'content-length', String(body.length)];
  headers.push('x-content-type-options', 'nosniff');
  if (!call.request.complete) headers.push('connection', 'close');
  call.response.writeHead(200, headers);
  sendBody(call.response, body);
}
