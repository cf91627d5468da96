import { type Answer, answerText } from '../answer.ts';
import type { Ask } from '../ask.ts';
import { readParameter } from './parameters.ts';

const WORDS = (
  'lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et ' +
  'dolore magna aliqua'
).split(' ');

const TOKENS_DEFAULT = 100;
const TOKENS_MAX = 100_000;
const TOKENS_PER_SECOND_DEFAULT = 100;

/** `tokens=200 rate=50`: that many words at that rate per second; `rate=0` sends them all at once. */
export function lorem(ask: Ask): Answer {
  const tokens = Math.min(readParameter(ask.userText, 'tokens') ?? TOKENS_DEFAULT, TOKENS_MAX);
  const rate = readParameter(ask.userText, 'rate') ?? TOKENS_PER_SECOND_DEFAULT;
  const text = Array.from({ length: tokens }, (_, index) => WORDS[index % WORDS.length]).join(' ');
  return answerText(ask, text, { tokensPerSecond: rate === 0 ? null : rate });
}
