import { short, type MailCheck } from '../../records/checked-mail.ts';

/** Skips quoted text: a mail about templates quotes placeholders. */
const LEFT_OVER = /(?<!["'`“‘«{])\{\{\{?[^{}\n\t]{0,80}(?:\}\}\}?)?/g;

/** Whether an address is a placeholder, or has one in it. */
export const isPlaceholder = (address: string): boolean => decoded(address).search(LEFT_OVER) >= 0;

/** A `{{` that no template has replaced, in the subject, a name, the preview, the text, a link or an image. */
export const leftOver: MailCheck = ({ mail, htmlText, previewText, plainText, names, anchors, images }) => {
  const places = [
    { text: mail.subject, where: 'the subject' },
    ...names,
    { text: previewText, where: 'the preview text' },
    { text: htmlText, where: 'the text' },
    { text: plainText, where: 'the text' },
    ...anchors.map(({ href }) => ({ text: decoded(href), where: 'a link' })),
    ...images.map(({ url }) => ({ text: decoded(url), where: 'the address of an image' })),
  ];
  const messages = places.flatMap(({ text, where }) =>
    [...text.matchAll(LEFT_OVER)].map(
      ([placeholder]) => `${short(placeholder.trim(), 60)} is left over in ${where}`,
    ),
  );
  return [...new Set(messages)].map((message) => ({ level: 'error', message }));
};

function decoded(href: string): string {
  return href.replace(/%7B/gi, '{').replace(/%7D/gi, '}');
}
