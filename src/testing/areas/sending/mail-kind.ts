import { arrayOf, recordOf, oneOf, or, plainObject, positive, text } from '../../checks/kind.ts';
import type { Address, EmulatorAttachment, EmulatorMessageTemplate, Mail } from './mail.ts';

const address = recordOf<Address>({ email: text, name: or(text, null) });
const addresses = arrayOf('addresses', address);

/** A file as it is kept. */
export const keptFile = recordOf<EmulatorAttachment>({
  content: text,
  filename: text,
  type: text,
  disposition: oneOf(['attachment', 'inline']),
  contentId: or(text, null),
});

/** What is told of the template of an email. */
export const messageTemplate = recordOf<EmulatorMessageTemplate>({
  name: text,
  uuid: text,
  missing: arrayOf('paths of variables', text),
  unused: arrayOf('paths of variables', text),
});

/** The content of an email as it is kept. That of a received one has no `bcc` and what follows it. */
export const mailContent = recordOf<Mail>({
  from: address,
  replyTo: or(address, null),
  to: addresses,
  cc: addresses,
  bcc: addresses,
  subject: text,
  text: or(text, null),
  html: or(text, null),
  headers: plainObject,
  attachments: arrayOf('files', keptFile),
  category: or(text, null),
  customVariables: or(plainObject, null),
  templateId: or(positive, null),
  template: or(messageTemplate, null),
  templateVariables: or(plainObject, null),
});
