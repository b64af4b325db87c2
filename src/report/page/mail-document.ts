/** The document of a frame that shows a mail. */
import type { ReportMail } from '../data.ts';
import { withInertLinks } from '../inert-links.ts';

/** Some builds of Chromium connect to the address of a frame before they look at the policy: a mail has no frames. */
const withoutFrames = (html: string) =>
  html.replace(/<(\/?)iframe(?![\w-])/gi, '<$1template').replace(/<frame(?![\w-])/gi, '<x-frame');

/**
 * The HTML of a mail for a frame without scripts. Images that are attached stand in it as data; a click on a link opens
 * nothing, as the frame may open no windows.
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

/** Addresses that a link of the page may lead to. */
export const isSafeLink = (url: string): boolean => /^(https?:\/\/|mailto:)/i.test(url);
