/** What the gateway may lack, and what an operator can do about it. */
import { formatShare } from '../../format/figures.ts';

export interface ShortageWords {
  readonly name: string;
  /** When requests are refused for it. */
  readonly when: string;
  /** The option or limit to raise. */
  readonly limit: string;
}

const WORDS: Readonly<Record<string, ShortageWords>> = {
  in_flight: {
    name: 'Places',
    when: 'As many requests as may were running.',
    limit: 'limits.inFlightMax',
  },
  arriving: {
    name: 'Arriving requests',
    when: 'Too many requests of one key were still being sent.',
    limit: 'limits.inFlightMax',
  },
  loop_delay: {
    name: 'Processor time',
    when: 'Turns of the event loop took too long for a second.',
    limit: 'limits.loopDelayMs',
  },
  memory: {
    name: 'Memory',
    when: 'The heap or the resident memory was nearly used up for a second.',
    limit: '--max-old-space-size, memory of the container',
  },
  descriptors: {
    name: 'File descriptors',
    when: 'Clients had more connections open than the descriptors allow.',
    limit: 'ulimit -n',
  },
};

/** The API's own word for one that this page does not know yet. */
export function shortageWords(shortage: string): ShortageWords {
  return WORDS[shortage] ?? { name: shortage, when: '', limit: '' };
}

/** `30% of new requests are refused. What is short: memory (…).` */
export function refusingWords(
  { admitted_ratio: ratio }: { readonly admitted_ratio: number },
  shortage: string,
): string {
  const { name, limit } = shortageWords(shortage);
  return `${formatShare(1 - ratio)} of new requests are refused. What is short: ${name.toLowerCase()}${limit === '' ? '' : ` (${limit})`}.`;
}
