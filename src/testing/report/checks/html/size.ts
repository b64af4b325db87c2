import type { MailCheck } from '../../records/checked-mail.ts';

/** From this size on, some programs show the beginning only. */
const MOST_KB = 102;

/** HTML that some programs cut. */
export const size: MailCheck = ({ mail: { html } }) => {
  const bytes = new TextEncoder().encode(html ?? '').length;
  if (bytes <= MOST_KB * 1024) return [];
  const message = `${Math.round(bytes / 1024)} kB of HTML; some mail programs cut at ${MOST_KB} kB`;
  return [{ level: 'warn', message, group: 'size' }];
};
