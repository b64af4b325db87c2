/** A part of an address without its percent-encoding; the part itself if that is not valid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
