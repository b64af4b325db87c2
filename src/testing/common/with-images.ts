/** An attachment that the HTML of an email may show. */
interface Attached {
  readonly contentId: string | null;
  readonly type: string;
  /** In base64; null if it is not kept. */
  readonly content: string | null;
}

/** The most characters that images add to the HTML of an email, which may show the same image many times. */
const MAX_IMAGES = 32 * 2 ** 20;

/** The HTML of an email whose attached images are `data:` addresses, up to {@link MAX_IMAGES}. */
export function withImages(html: string, attachments: readonly Attached[]): string {
  const images = new Map<string, string>();
  for (const { contentId, type, content } of attachments)
    if (contentId !== null && content !== null && /^image\/[\w.+-]+$/.test(type))
      images.set(
        `cid:${contentId.replace(/^<|>$/g, '')}`,
        `data:${type};base64,${content.replace(/\s/g, '')}`,
      );
  let room = MAX_IMAGES;
  return html.replace(/cid:[^\s"'<>(),;&]+/g, (reference) => {
    const image = images.get(reference) ?? reference;
    if (image.length > room) return reference;
    room -= image.length;
    return image;
  });
}
