/** The handlers of the operations on one email. */
import type { EmulatorMessage } from '../../service/state/emails/outbox.ts';
import type { World } from '../../service/state/world.ts';
import { notFound } from '../../service/wire/reply.ts';
import type { Handlers } from './asked.ts';
import { attachmentOf, htmlOf, rawOf, textOf } from './message-parts.ts';

/** The handlers of the emails of the current world, by the names of their operations. */
export function messageHandlers(world: () => World): Handlers {
  const message = (id: unknown): EmulatorMessage => {
    const { outbox } = world();
    const found = outbox.find(String(id));
    if (found === undefined) throw notFound(`There is no email ${String(id)}`);
    return outbox.shown(found);
  };

  return {
    'message.html': ({ params }) => htmlOf(message(params.id)),
    'message.text': ({ params }) => textOf(message(params.id)),
    'message.source': ({ params }) => rawOf(world(), String(params.id)),
    'message.attachment': ({ params }) => attachmentOf(message(params.id), Number(params.n)),
    'message.latest': ({ query }) => {
      const wanted = typeof query.to === 'string' ? query.to.toLowerCase() : undefined;
      const { outbox } = world();
      const found = outbox.latest(
        ({ recipient: { email } }) => wanted === undefined || email.toLowerCase() === wanted,
      );
      if (found === undefined) throw notFound('There is no such email yet');
      return htmlOf(outbox.shown(found));
    },
  };
}
