/**
 * Claude's encrypted thoughts. Claude's own format has them as text, Bedrock as bytes in base 64; they are valid in both, so the neutral
 * form has the text.
 *
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ReasoningContentBlock.html
 */

/** Bytes that are not a text stay in base 64, with a mark before them. */
export function readRedacted(base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : MARK + base64;
}

/** The reverse. */
export function writeRedacted(encrypted: string): string {
  return encrypted.startsWith(MARK) ? encrypted.slice(MARK.length) : Buffer.from(encrypted).toString('base64');
}

const MARK = 'bytes:';
