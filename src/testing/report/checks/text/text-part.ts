import type { MailCheck } from '../../records/checked-mail.ts';

/** HTML in a text: a tag that begins a document, or elements that are closed. */
const SOURCE =
  /<!doctype html|<html[\s>]|<(p|div|b|i|strong|em|a|h[1-6]|table|ul|span|body)(?:\s[^<>]{0,500})?>[^<>]{0,2000}<\/\1>/i;

/** HTML without a text part, which some programs show, and filters expect; or HTML in the place of the text. */
export const textPart: MailCheck = ({ mail: { html, text }, htmlText, images, plainText }) => {
  const isSeen = htmlText !== '' || images.length > 0;
  if (html !== null && (text === null || (isSeen && text.trim() === '')))
    return [{ level: 'warn', message: 'No text part beside the HTML' }];
  return SOURCE.test(plainText) ||
    (text !== null && text.trim() !== '' && text.trim() === html?.trim() && /<\w/.test(text))
    ? [{ level: 'warn', message: 'The text part is HTML, which is shown with its tags' }]
    : [];
};
