/** Answers a conversation, whole or as a stream. */
import { PRICE_LINES } from '../core/rates/price-lines.ts';
import type { PaidOperation } from './operation.ts';

/** About how long a prompt token is. */
const BYTES_PER_TOKEN = 4;

export const chat: PaidOperation = {
  name: 'chat',
  permission: 'chat',
  isTranslated: true,
  isPaid: true,
  // None is charged by the image: vendors report the tokens of one.
  priceLines: PRICE_LINES.filter((line) => line !== 'image'),
  unitKinds: [],
  mayBeKept: true,
  peek: (dialect, inbound) => dialect.peek(inbound),
  tokensAbout: ({ bodyBytes }) => Math.ceil(bodyBytes / BYTES_PER_TOKEN),
  bound: (peek) => peek,
  patchRequest: (dialect, inbound, peek, edits) => dialect.patchRequest(inbound, peek, edits),
  openRelay: (dialect, peek, context) => dialect.openRelay(peek, context),
  openMeter: (dialect, peek, tokenizer) => dialect.openMeter(peek, tokenizer),
};
