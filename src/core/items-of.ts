/** The items of a list. One with holes, of which there may be billions, counts as empty: it is refused elsewhere. */
export const itemsOf = (list: unknown): readonly unknown[] =>
  Array.isArray(list) && Object.keys(list).length === list.length ? list : [];
