import { short, type MailCheck } from '../records/checked-mail.ts';

/** Skips quoted text: a mail about templates quotes placeholders. */
const LEFT_OVER = /(?<!["'`“‘«{])\{\{\{?[^{}\n\t]{0,80}(?:\}\}\}?)?/g;

/** A `{{` that no template has replaced, in the subject, the text or a link. */
export const leftOver: MailCheck = ({ mail, htmlText, plainText, anchors }) => {
  const places = [
    { text: mail.subject, where: 'the subject' },
    { text: htmlText, where: 'the text' },
    { text: plainText, where: 'the text' },
    ...anchors.map(({ href }) => ({ text: decoded(href), where: 'a link' })),
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
