import { arrayOf, base64, objectOf, positive, problemIn, text, type Kind } from '../../checks/kind.ts';
import { headers } from '../../arguments/fault.ts';
import { control, needed } from '../../control.ts';
import type { EmulatorInbound, EmulatorInboundInbox } from '../../emulator-types.ts';
import { addInbox } from './add-inbox.ts';
import {
  receive,
  type EmulatorInboundFields,
  type EmulatorInboundFile,
  type EmulatorReceived,
} from './receive.ts';

const texts = arrayOf('addresses', text);

/** Recipients, as the client takes them as text. */
const recipients: Kind = {
  what: 'an address, or an array of addresses',
  hasType: (value) => typeof value === 'string' || Array.isArray(value),
  inside: (value, name) => problemIn(texts, [value].flat(), name),
  json: {
    type: 'written',
    schema: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    read: (json) => json,
    write: (value) => value,
  },
};

const inboundFields = objectOf<EmulatorInboundFields>(
  {
    to: recipients,
    from: text,
    cc: recipients,
    bcc: recipients,
    reply_to: text,
    subject: text,
    text,
    html: text,
    headers,
    rfc_message_id: text,
    in_reply_to: text,
    references: arrayOf('message ids', text),
    attachments: arrayOf(
      'files',
      objectOf<EmulatorInboundFile>({ content: base64, filename: text, type: text }, ['content', 'filename']),
    ),
  },
  ['to', 'from'],
);

/** What a test can do to inbound mail. */
export const inboundControls = {
  'inbound.add': control<EmulatorInbound['add']>(
    { line: 'POST /inbound/inboxes' },
    'Adds an inbox in a folder of its own, hosted by the service.',
    {},
    objectOf<EmulatorInboundInbox>({ folderId: positive, inboxId: positive, address: text }, 'all'),
    (world) => {
      const folder = world.inbound.folders.insert({ accountId: world.accountId, name: 'Inbox' });
      const { id: inboxId, address } = addInbox(world, folder, 'Inbox');
      return { folderId: folder.id, inboxId, address };
    },
  ),
  'inbound.receive': control<EmulatorInbound['receive']>(
    { line: 'POST /inbound/receive', spread: 'email', as: 'received' },
    'Lets somebody send an email to one or more inboxes.',
    { email: needed(inboundFields) },
    arrayOf(
      'places',
      objectOf<EmulatorReceived>({ inboxId: positive, messageId: text, threadId: text }, 'all'),
    ),
    (world, email) => {
      const received = receive(world, email, world.clock.now());
      if (received.length === 0) throw new RangeError('None of the recipients is the address of an inbox');
      return received;
    },
  ),
};
