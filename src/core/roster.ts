/**
 * Who is there right now, for things that come and go thousands of times a second. A `Set` would
 * do, but each time its table is renewed the old one, dead and in the old generation, still points at
 * all that was in it, and every collection of young objects keeps those alive. Here a member
 * knows its place in one array, and whoever leaves is overwritten.
 */
export interface Listed {
  /** Its index while it is on a roster, else -1; the roster's to write. */
  place: number;
}

export const NOWHERE = -1;

export class Roster<Member extends Listed> {
  readonly #members: Member[] = [];

  get size(): number {
    return this.#members.length;
  }

  /** Adding a member twice changes nothing. */
  add(member: Member): void {
    if (member.place >= 0) return;
    member.place = this.#members.length;
    this.#members.push(member);
  }

  /** Removing who is not there changes nothing. */
  delete(member: Member): void {
    const { place } = member;
    if (!(place >= 0)) return;
    member.place = NOWHERE;
    const last = this.#members.pop() as Member;
    if (last === member) return;
    this.#members[place] = last;
    last.place = place;
  }

  /** Visits who is there now; a visit may remove anybody, who is then not visited any more. */
  visit(look: (member: Member) => void): void {
    for (const member of [...this.#members]) if (member.place >= 0) look(member);
  }
}
