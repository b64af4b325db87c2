import type { MailCheck } from '../records/checked-mail.ts';

/** HTML without a text part, which some programs show, and filters expect. */
export const textPart: MailCheck = ({ mail: { html, text } }) =>
  html !== null && (text ?? '').trim() === ''
    ? [{ level: 'warn', message: 'No text part beside the HTML' }]
    : [];
