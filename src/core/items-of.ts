/** The items of a list. A list with holes counts as empty, because there may be billions: the rules refuse it. */
export const itemsOf = (list: unknown): readonly unknown[] =>
  Array.isArray(list) && Object.keys(list).length === list.length ? list : [];
