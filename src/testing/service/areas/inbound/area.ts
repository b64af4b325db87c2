import { headers } from '../../engine/fault-kind.ts';
import { arrayOf, base64, type Kind, objectOf, positive, problemIn, text } from '../../../declare/kind.ts';
import { control, needed } from '../../routing/control.ts';
import type { EmulatorInbound, EmulatorInboundInbox } from './control-types.ts';
import { area } from '../../routing/area.ts';
import type { World } from '../../state/world.ts';
import { addInbox } from './endpoint.ts';
import { folderRoutes, inboxRoutes } from './inbox-routes.ts';
import { messageRoutes } from './message-routes.ts';
import {
  type EmulatorInboundFields,
  type EmulatorInboundFile,
  type EmulatorReceived,
  receive,
} from './receive.ts';
import { ruleRoutes } from './rules.ts';
import { inboundOptions, InboundStore } from '../../state/inboxes/inbound.ts';
import { threadRoutes } from './thread-routes.ts';
import { inboundFile } from './view.ts';

const texts = arrayOf('addresses', text);

/** The kind of recipients: one address, or an array. */
const recipients: Kind = {
  what: 'an address, or an array of addresses',
  hasType: (value) => typeof value === 'string' || Array.isArray(value),
  problemWithin: (value, name) => problemIn(texts, [value].flat(), name),
  form: { type: 'any of', kinds: [text, texts] },
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

const inbox = objectOf<EmulatorInboundInbox>({ folderId: positive, inboxId: positive, address: text }, 'all');
const received = arrayOf(
  'places',
  objectOf<EmulatorReceived>({ inboxId: positive, messageId: text, threadId: text }, 'all'),
);

/** The controls of inbound mail. */
const inboundControls = {
  'inbound.add': control<EmulatorInbound['add']>('POST /inbound/inboxes', { returns: inbox }, (world) => {
    const folder = world.inbound.folders.insert({ accountId: world.accountId, name: 'Inbox' });
    const { id: inboxId, address } = addInbox(world, folder, 'Inbox');
    return { folderId: folder.id, inboxId, address };
  }),
  'inbound.receive': control<EmulatorInbound['receive']>(
    'POST /inbound/receive',
    { takes: { email: needed(inboundFields) }, body: 'email', returns: received, as: 'received' },
    (world, email) => receive(world, email, world.clock.now()),
  ),
};

/** The endpoints of inbound mail. */
const inboundRoutes = (world: World) =>
  [folderRoutes, inboxRoutes, messageRoutes, threadRoutes, ruleRoutes].flatMap((of) => of(world));

/** Inbound mail: folders, inboxes, messages, threads and forward rules. */
export const inbound = area<'inbound', 'inbound'>({
  name: 'inbound',
  options: { inbound: inboundOptions },
  keep: ({ state }) => ({ inbound: new InboundStore(state) }),
  routes: inboundRoutes,
  file: ({ inbound: store }, path) => inboundFile(store, path),
  controls: inboundControls,
});
