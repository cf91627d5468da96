/** What has a name at a place (a model at a provider), so that a catalogue of thousands is built without searching all of it each time. */
export class ByPlace<Thing> {
  readonly #things = new Map<string, Map<string, Set<Thing>>>();

  add(place: string, name: string, thing: Thing): void {
    let names = this.#things.get(place);
    if (names === undefined) {
      names = new Map();
      this.#things.set(place, names);
    }
    const things = names.get(name);
    if (things === undefined) names.set(name, new Set([thing]));
    else things.add(thing);
  }

  /** In the order in which they were added. */
  find(place: string, name: string): readonly Thing[] {
    return [...(this.#things.get(place)?.get(name) ?? [])];
  }
}
