/** A path without the numbers of elements, as in `optional` of a template's file: `items.price`. */
const withoutNumbers = (path: string) => path.replace(/\[\d+\]/g, '');

/** Whether a template's file declares a variable as optional. */
export const isOptional = (path: string, optional: readonly string[]): boolean => {
  const plain = withoutNumbers(path);
  return optional.some((one) => withoutNumbers(one.replaceAll('[]', '')) === plain);
};
