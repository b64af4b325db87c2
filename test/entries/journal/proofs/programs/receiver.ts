/** Receives posts, and records their events. `GET /` lists what is recorded, as JSON lines. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readWebhook } from '../../../../../src/entries/webhooks/index.ts';
import { openDeliveries, type DeliveriesOrder } from './database.ts';

/** The database, and the secret of the webhook. */
export interface ReceiverOrder extends DeliveriesOrder {
  readonly secret: string;
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of request) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces);
}

process.once('disconnect', () => process.exit());
process.once('message', (order: ReceiverOrder) => {
  void (async () => {
    const { deliveries } = await openDeliveries(order);
    await deliveries.setup();
    const server = createServer((request, response) => {
      void (async () => {
        try {
          if (request.method === 'GET') {
            for await (const { messageId, key, status, opens, clicks } of deliveries.list())
              response.write(
                `${JSON.stringify({ messageId, key, status, opens: opens.count, clicks: clicks.count })}\n`,
              );
            response.end();
            return;
          }
          const post = { payload: await bodyOf(request), headers: request.headers };
          await deliveries.record(await readWebhook(post, { secret: order.secret }));
          response.writeHead(200).end();
        } catch (error) {
          response.writeHead(503).end(String(error));
        }
      })();
    });
    server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  })();
});
