import type { MailCheck } from '../../records/checked-mail.ts';

/** A mail in which a reader sees nothing: no text, no image, no file. */
export const empty: MailCheck = ({ mail, htmlText, plainText, images, elements }) => {
  const { text, html, attachments } = mail;
  const hasPicture = images.length > 0 || elements.some(({ tag }) => tag === 'svg');
  const hasText = html === null || html.trim() === '' ? (text ?? '').trim() !== '' : isShown(html, htmlText);
  if (hasText || hasPicture || attachments.length > 0 || plainText.trim() !== '') return [];
  return [{ level: 'error', message: 'The email is empty: a reader sees no text, no image and no file' }];
};

/** The text of code is none of the text for checks, and is seen. */
const isShown = (html: string, htmlText: string) =>
  htmlText !== '' || /<(?:code|pre|kbd|samp|tt)[\s>]/i.test(html);
