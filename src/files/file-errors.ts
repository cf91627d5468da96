/** Why a file is refused. */
import { GatewayError } from '../core/errors.ts';

const SHOWN_MAX = 80;

export function fileNotFound(id: string): GatewayError {
  const shown = JSON.stringify(id.length > SHOWN_MAX ? `${id.slice(0, SHOWN_MAX)}…` : id);
  return new GatewayError('file_not_found', {
    message: `No file with the id ${shown} is known here: it does not exist, has expired, or belongs to another project.`,
    param: 'id',
  });
}

export function inUse(id: string, batch: string): GatewayError {
  return new GatewayError('file_in_use', {
    message: `The batch ${batch} has not ended, and needs the file ${id}. Cancel the batch or wait for its end; then delete the file.`,
    facts: { batch },
  });
}

export function fileTooLarge(bytesMax: number): GatewayError {
  return new GatewayError('request_too_large', {
    message: `The file is larger than the limit of ${bytesMax} bytes (limits.fileBytesMax). Split it into several files, or ask the operator to raise the limit.`,
    param: 'file',
    facts: { limit: 'limits.fileBytesMax' },
  });
}

export function tooManyFiles(filesMax: number): GatewayError {
  return new GatewayError('file_space_exceeded', {
    message: `This account has ${filesMax} files, which is the most (limits.accountFilesMax). Delete some, or ask the operator to raise the limit.`,
    param: 'file',
    facts: { limit: 'limits.accountFilesMax' },
  });
}

export function spaceUsedUp(bytesMax: number): GatewayError {
  return new GatewayError('file_space_exceeded', {
    message: `The files of this account take all of the ${bytesMax} bytes that they may have together (limits.accountFilesBytesMax), so that results would have no space. Delete some, or ask the operator to raise the limit.`,
    param: 'input_file_id',
    facts: { limit: 'limits.accountFilesBytesMax' },
  });
}

export function spaceExceeded(bytesMax: number): GatewayError {
  return new GatewayError('file_space_exceeded', {
    message: `With this file, the files of this account would take more than the ${bytesMax} bytes that they may have together (limits.accountFilesBytesMax). Delete some, or ask the operator to raise the limit.`,
    param: 'file',
    facts: { limit: 'limits.accountFilesBytesMax' },
  });
}
