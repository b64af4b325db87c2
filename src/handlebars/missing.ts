/** A path without the numbers of elements, as `optional` in a template's file is written: `items.price`. */
const withoutNumbers = (path: string) => path.replace(/\[\d+\]/g, '');

/** Whether a variable may be left out by what a template's file says of it. */
export const isOptional = (path: string, optional: readonly string[]): boolean => {
  const plain = withoutNumbers(path);
  return optional.some((one) => withoutNumbers(one.replaceAll('[]', '')) === plain);
};
