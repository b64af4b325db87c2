/**
 * The state of the service as plain data, by the names of its parts. A snapshot contains exactly this state. A store keeps
 * derived data, such as an index, outside its part, and derives it again from a restored part.
 * May import `encoding`, `declare` and `common`.
 */
export class State {
  readonly parts: Record<string, object>;

  constructor(parts: Record<string, object> = {}) {
    this.parts = parts;
  }

  /** The part with this name. A part that the state does not have yet begins as `initial`. */
  part<Part extends object>(name: string, initial: Part): Part {
    return (this.parts[name] ??= initial) as Part;
  }
}
