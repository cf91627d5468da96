/**
 * What must not reach a caller in an error: keys, and the ids of the operator's organisation, workspace and account. Vendors write them
 * even into messages about the request: Groq answers 413 with "in organization `org_…`", OpenRouter adds its `user_id`.
 */

/** Whether the text of an error's body contains a key or an id of the operator's. */
export function namesOperator(text: string): boolean {
  return (
    KEYS.some((pattern) => pattern.test(text)) ||
    text.search(ACCOUNT) !== -1 ||
    OWNERS.some((id) => text.search(id) !== -1)
  );
}

export function withoutOwners(text: string, blank: string): string {
  let words = text;
  for (const id of OWNERS) words = words.replace(id, (_, before: string) => before + blank);
  return words;
}

const KEYS = [/\bsk-[\w-]{8,}/, /\bBearer\s+[\w.~+/-]{8,}/i];
/** https://openrouter.ai/docs/api-reference/errors */
const ACCOUNT = /"user_id"\s*:\s*"/;

/** The first group is kept. */
const OWNERS = [
  /()\b(?:wrkspc|apikey|svac)_\w+/g,
  /(\borgani[sz]ation\W{0,3}(?:id\W{0,3})?)[0-9a-f]{8}-[0-9a-f-]{27}/gi,
  /()\borg[-_][\w-]{8,}/g,
  // Google Cloud writes the project into the names of models, AWS the account.
  /(\bprojects\/)[\w.:-]{1,80}(?=\/locations\/)/g,
  /(\barn:aws[a-z-]{0,16}:[a-z0-9-]{0,32}:[a-z0-9-]{0,32}:)\d{12}\b/g,
];
