/** The HTML document of a mail's frame. */
import type { ReportMail } from '../../data/data.ts';
import {
  withImages,
  withLinksInNewTabs,
  withoutConnections,
  withScheme,
} from '../../../common/inert-links.ts';

/**
 * The HTML of a mail for a frame without scripts. Attached images become `data:` addresses. A click on a link opens
 * nothing, because the sandbox of a file's frame forbids new windows.
 */
export function mailDocument(
  { html, attachments }: Pick<ReportMail, 'html' | 'attachments'>,
  scheme: 'light' | 'dark',
): string {
  const shown = withImages(html ?? '', attachments);
  return withLinksInNewTabs(withoutConnections(withScheme(shown, scheme)));
}

/** An address on another machine where HTML or CSS has an image. */
const REMOTE_IMAGE =
  /(?:\b(?:src|srcset|background|poster)\s{0,9}=\s{0,9}["']?|url\(\s{0,9}["']?)\s{0,9}(?:https?:)?\/\//i;

/** Whether a mail has images that a browser would load from elsewhere. */
export const hasRemoteImages = (html: string): boolean => REMOTE_IMAGE.test(html);

/** Whether the page may link to an address. */
export const isSafeLink = (url: string): boolean => /^(https?:\/\/|mailto:)/i.test(url);
