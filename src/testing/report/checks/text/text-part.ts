import type { MailCheck } from '../../records/checked-mail.ts';

/** A tag that begins HTML. */
const BEGINS = /^\s*<(?:!doctype html|html|head|body|p|div|table|center)[\s>]/i;
const TAG = /<\/?(?:a|b|br|div|em|h[1-6]|i|img|li|p|span|strong|table|t[dhr]|[ou]l)(?![\w-])[^<>]{0,500}>/gi;
const CLOSED = /<(p|div|b|i|strong|em|h[1-6]|ul|span)(?:\s[^<>]{0,500})?>[^<>]{0,2000}<\/\1>/i;

/** Whether a text is HTML. One with few tags, or with one link, quotes them. */
function isHtml(text: string): boolean {
  const tags = text.match(TAG) ?? [];
  if (BEGINS.test(text)) return true;
  return tags.join('').length > 0.05 * text.length && (tags.length > 2 || CLOSED.test(text));
}

/** HTML without a text part, which some programs show, and filters expect; or HTML in the place of the text. */
export const textPart: MailCheck = ({ mail: { html, text }, htmlText, images, plainText }) => {
  const isSeen = htmlText !== '' || images.length > 0;
  if (html !== null && (text === null || (isSeen && text.trim() === '')))
    return [{ level: 'warn', message: 'No text part beside the HTML' }];
  return isHtml(plainText) ||
    (text !== null && text.trim() !== '' && text.trim() === html?.trim() && /<\w/.test(text))
    ? [{ level: 'warn', message: 'The text part is HTML, which is shown with its tags' }]
    : [];
};
