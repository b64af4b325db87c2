/** The words for the events of mails. */
const OUTCOMES: Readonly<Record<string, string>> = {
  delivery: 'delivered',
  open: 'opened',
  click: 'clicked',
  bounce: 'bounced',
  soft_bounce: 'soft bounce',
  spam: 'spam complaint',
  unsubscribe: 'unsubscribed',
  suspension: 'suspended',
  reject: 'rejected',
};

/** The word for an event of a mail: `delivered`, `bounced`, … */
export const outcome = (type: string): string => OUTCOMES[type] ?? type;
