import { readParameters } from './header-parameters.ts';

/** https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1; a blank may not be its last character. */
const BOUNDARY = /^[A-Za-z0-9'()+_,./:=? -]{0,69}[A-Za-z0-9'()+_,./:=?-]$/;

/** The boundary that the content type of a form states; null if it is no form, or states none that is valid. */
export function readBoundary(contentType: string | undefined): string | null {
  const read = contentType === undefined ? null : readParameters(contentType);
  if (read === null || read.value !== 'multipart/form-data') return null;
  const boundary = read.parameters.get('boundary') ?? '';
  return BOUNDARY.test(boundary) ? boundary : null;
}
