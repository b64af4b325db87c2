// The sending hosts as far as the benchmark needs them: everything is accepted, as fast as Node can say so.
import { createServer } from 'node:http';

const accepted = { success: true, message_ids: ['0b2f5f0a-6b5e-4a53-9a86-2f1c6e1b8a11'] };
const payloads = {
  one: Buffer.from(JSON.stringify(accepted)),
  batch: Buffer.from(
    JSON.stringify({ success: true, responses: Array.from({ length: 500 }, () => accepted) }),
  ),
};

const server = createServer((request, response) => {
  const body = request.url === '/api/batch' ? payloads.batch : payloads.one;
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.(server.address().port));
process.on('disconnect', () => process.exit());
