/** The reference of error codes as Markdown: one heading, and so one anchor, per code of the table. */
import { type ErrorCode, errorTable } from '../../core/errors.ts';

export function errorReference(): string {
  const codes = (Object.keys(errorTable) as ErrorCode[]).sort(
    (a, b) => errorTable[a].status - errorTable[b].status || (a < b ? -1 : 1),
  );
  return `${INTRODUCTION}\n${codes.map(section).join('\n')}`;
}

const INTRODUCTION = `# Errors

Every error carries a stable code. OpenAI-format routes say it in \`error.code\`, Anthropic-format routes in
\`error.details.code\`, the routes that only OpenRouter has (\`/api/v1/key\`) in \`error.metadata.error_type\` beside the
status as an integer. Every answer carries a request id (\`x-request-id\`, on Anthropic routes \`request-id\`): name it
when you ask for help.

After an answer has begun to stream, an error ends the stream, which then has no proper end (\`[DONE]\`, \`message_stop\`). On
OpenAI-format routes it is told twice, since clients look in different places: in a chunk whose choice has the \`finish_reason\`
\`error\`, then in an event of \`error\` alone. In both \`error.code\` is the HTTP status as a number, as OpenRouter writes it, and the
stable code is \`error.metadata.error_type\` (which every error of these routes has, in a stream or not).

A provider's own refusal of a request (most 4xx) reaches the caller with the provider's status and body, unchanged.

This page is generated from the table in \`src/core/errors.ts\`.
`;

function section(code: ErrorCode): string {
  const { status, openaiType, anthropicType, message } = errorTable[code];
  return `## ${code}

HTTP ${status} · OpenAI type \`${openaiType}\` · Anthropic type \`${anthropicType}\`

${message} ${ADVICE[code]}
`;
}

const AGAIN = 'The same request may be sent again after the time in `Retry-After`.';
const OPERATOR =
  'Nothing in the request is at fault; the operator of this gateway finds the cause in its log under the request id.';
const MEND = 'Mend the request as the message says; sent again unchanged it fails again.';

const ADVICE: Readonly<Record<ErrorCode, string>> = {
  invalid_json: `${MEND} The message names the byte where reading stopped.`,
  invalid_utf8: MEND,
  json_too_deep: 'At most 128 levels of objects and arrays are read.',
  duplicate_key: 'Two parsers could read two different values, so neither is taken. Send the field once.',
  invalid_value: `${MEND} \`param\` names the field.`,
  missing_field: `${MEND} \`param\` names the field.`,
  unsupported_value: 'Other values of the same field may be accepted: the message lists them.',
  field_not_allowed:
    'Fields that choose a model, a price, an upstream or stored data are refused where they cannot be checked. Leave the field out.',
  duplicate_header: MEND,
  conflicting_credentials: 'Send one key, in `Authorization: Bearer` or in `X-API-Key`.',
  bad_request: MEND,
  invalid_api_key:
    'Unknown, revoked, expired and disabled keys all answer so. Check that the key is whole and of this installation.',
  not_signed_in:
    'The dashboard answers so where the session is over, or was ended; programs use `/api/v1` with a management key.',
  invalid_sign_in:
    'Only the dashboard signs people in. Unknown and disabled users answer as a wrong password does; a forgotten one is set anew by a mailed link.',
  insufficient_balance: 'Top up the account.',
  balance_reserved: AGAIN,
  budget_exceeded:
    'The message names the budget, and when it starts again or that the whole of it is too little for this call.',
  permission_denied: "Use a key that may do this, or have this key's permissions changed.",
  model_not_allowed: 'Use a model this key may use (`GET /api/v1/models` lists them).',
  not_found: 'Mostly a wrong base address: OpenAI clients take `{base}/api/v1`, Anthropic clients `{base}`.',
  model_not_found: 'The message offers the nearest names this key may use; `GET /api/v1/models` lists all.',
  context_length_exceeded:
    'Send less: drop old turns or compact the conversation. The message says how much is too much.',
  model_not_priced:
    'The operator gives the model a price, or `price: free`, in `turnpike.yaml`, in the dashboard or with `turnpike providers update <name> --models … --price <in>/<out>`.',
  method_not_allowed: MEND,
  request_timeout:
    'Headers have 10 seconds. A body has to bring 160 KiB in every 10 seconds (16 KiB/s), and be whole within `timeouts.totalMs`; one for the management API has 10 seconds.',
  conflict: MEND,
  idempotency_in_flight: AGAIN,
  idempotency_streamed:
    'Its answer was streamed, was larger than 1 MiB, or came when there was no room for more kept answers. `GET /api/v1/generation?id=` tells what it cost; send a new key for a new answer.',
  request_too_large:
    'The largest body is `limits.bodyBytesMax`, 32 MiB unless the operator set another; name files by their address in place of sending them within. A request to a model whose provider speaks another format is parsed, and has bounds of its own: `limits.parsedValuesMax` values and names (100,000), `limits.parsedTextBytesMax` of text beside inline media (8 MiB). The message names the limit.',
  unsupported_media_type: MEND,
  idempotency_mismatch:
    'A key stands for one request for 24 hours: the same route and the same body, byte for byte. Send a new key with a new request.',
  expectation_failed: 'Only `Expect: 100-continue` is understood.',
  rate_limit_exceeded: AGAIN,
  headers_too_large: 'At most 100 headers and 16 KiB in all, unless the operator set other limits.',
  internal_error: OPERATOR,
  bad_gateway: 'Sending it again may help.',
  upstream_unreachable: 'Sending it again may help.',
  upstream_credential_rejected: OPERATOR,
  upstream_rate_limited: `${AGAIN} What the provider says of it follows a colon.`,
  upstream_overloaded: `${AGAIN} What the provider says of it follows a colon.`,
  shedding: AGAIN,
  overloaded: `${AGAIN} Large requests of one key, or one account, take at most their share of \`limits.memoryBytes\`; the message says whose requests have too much of it.`,
  draining: AGAIN,
  auth_unavailable: AGAIN,
  ledger_unavailable: AGAIN,
  upstream_timeout: 'Sending it again may help.',
};
