/**
 * Whether a text has more characters than `max`, counted as Unicode code points, as the service does. Counts surrogate
 * pairs only if the UTF-16 length exceeds `max`.
 */
export function isLonger(text: string, max: number): boolean {
  if (text.length <= max || text.length > 2 * max) return text.length > max;
  const pairs = text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return text.length - pairs > max;
}
