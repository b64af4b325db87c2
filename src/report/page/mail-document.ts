/** The HTML document of a mail's frame. */
import type { ReportMail } from '../data.ts';
import { withInertLinks } from '../inert-links.ts';

/** Removes frames, because some builds of Chromium connect to a frame's address before they apply the policy. */
const withoutFrames = (html: string) =>
  html.replace(/<(\/?)iframe(?![\w-])/gi, '<$1template').replace(/<frame(?![\w-])/gi, '<x-frame');

/**
 * The HTML of a mail for a frame without scripts. Attached images become `data:` addresses. A click on a link opens
 * nothing, because the sandbox of the frame forbids new windows.
 */
export function mailDocument({ html, attachments }: Pick<ReportMail, 'html' | 'attachments'>): string {
  const withImages = (html ?? '').replace(/cid:([^"'\s)>]+)/g, (whole, id: string) => {
    const image = attachments.find(({ contentId }) => contentId === id || contentId === `<${id}>`);
    return image?.content && /^image\/[\w.+-]+$/.test(image.type)
      ? `data:${image.type};base64,${image.content}`
      : whole;
  });
  return withInertLinks(withoutFrames(withImages));
}

/** Whether the page may link to an address. */
export const isSafeLink = (url: string): boolean => /^(https?:\/\/|mailto:)/i.test(url);
