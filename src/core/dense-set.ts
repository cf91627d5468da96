/**
 * A set whose members change thousands of times a second. A `Set` would work, but each time its table grows, the old
 * table, dead and in the old generation, still points at all its members, and every minor garbage collection keeps those
 * alive. Here a member knows its index in one dense array, and a removed member is overwritten by the last one.
 */
export interface Indexed {
  /** The index while it is in a set, otherwise `NO_INDEX`; only the set writes it. */
  index: number;
}

export const NO_INDEX = -1;

export class DenseSet<Member extends Indexed> {
  readonly #members: Member[] = [];

  get size(): number {
    return this.#members.length;
  }

  /** Adding a member twice changes nothing. */
  add(member: Member): void {
    if (member.index >= 0) return;
    member.index = this.#members.length;
    this.#members.push(member);
  }

  /** Removing a member that is not there changes nothing. */
  delete(member: Member): void {
    const { index } = member;
    if (!(index >= 0)) return;
    member.index = NO_INDEX;
    const last = this.#members.pop() as Member;
    if (last === member) return;
    this.#members[index] = last;
    last.index = index;
  }

  /** Visits the current members; a visit may remove any of them, which are then not visited. */
  visit(look: (member: Member) => void): void {
    for (const member of [...this.#members]) if (member.index >= 0) look(member);
  }
}
