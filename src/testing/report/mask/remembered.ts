/** Remembers the results for some texts. Most texts come again: names of headers, and the fields of an email in its request. */
export function remembered(change: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const changed = change(text);
    if (known.size < 20_000) known.set(text, changed);
    return changed;
  };
}
