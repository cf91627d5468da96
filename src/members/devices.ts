/**
 * Browsers in which people signed in before. Each has a sealed cookie that names the people. The cookie does not sign anybody in, but its
 * attempts are counted separately: floods and guesses from other browsers, even at the same address, do not block its people.
 * https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Sealer } from '../core/sealing/sealer.ts';

const DEVICE_BYTES = 16;
const PERSON_BYTES = 16;
/** The most recent people of a shared browser. */
const PEOPLE_MAX = 5;
const ABOUT = 'device';

export interface Device {
  /** Identifies the browser; not a secret. */
  readonly id: string;
  readonly people: readonly string[];
}

export class Devices {
  readonly #seal: Sealer;

  constructor(seal: Sealer) {
    this.#seal = seal;
  }

  /** The id of a browser in which this person signed in before; null for any other, and for an invalid cookie. */
  find(token: string | null, email: string): string | null {
    const device = token === null ? null : this.#read(token);
    return device?.people.includes(personOf(email)) === true ? device.id : null;
  }

  /** The new cookie of a browser after a person has signed in; `token` is its previous one. */
  remember(token: string | null, email: string): string {
    const device = token === null ? null : this.#read(token);
    const person = personOf(email);
    const people = [person, ...(device?.people ?? []).filter((each) => each !== person)].slice(0, PEOPLE_MAX);
    const plain = Buffer.from([device?.id ?? randomBytes(DEVICE_BYTES).toString('hex'), ...people].join(''), 'hex');
    return Buffer.from(this.#seal.seal(plain, ABOUT)).toString('base64url');
  }

  #read(token: string): Device | null {
    let plain: Buffer;
    try {
      plain = this.#seal.open(Buffer.from(token, 'base64url'), ABOUT);
    } catch {
      // Forged, or sealed under a key that is gone: an unknown browser.
      return null;
    }
    const people: string[] = [];
    for (let at = DEVICE_BYTES; at + PERSON_BYTES <= plain.length; at += PERSON_BYTES)
      people.push(plain.toString('hex', at, at + PERSON_BYTES));
    return { id: plain.toString('hex', 0, DEVICE_BYTES), people };
  }
}

function personOf(email: string): string {
  return createHash('sha256')
    .update(email)
    .digest('hex')
    .slice(0, PERSON_BYTES * 2);
}
