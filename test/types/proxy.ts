import { EmailPlatform } from 'email-platform';
import {
  createProxy,
  proxyHosts,
  toNodeListener,
  type EmailProxy,
  type OperationName,
  type ProxyOptions,
} from 'email-platform/proxy';
import { createServer } from 'node:http';

export function proxied(client: EmailPlatform): unknown[] {
  const authorize: ProxyOptions['authorize'] = (request, operation, { host, params }) => {
    const name: OperationName = operation;
    const id: string | number | undefined = params.id;
    if (request.headers.get('cookie') === null) return new Response(null, { status: 401 });
    return host === 'api' && name === 'campaigns.get' && id === 7 && { visitor: 'ann', accountId: 7, client };
  };
  const options: ProxyOptions = {
    client,
    authorize,
    basePath: '/email',
    allow: ['campaigns.list', 'contacts.*', 'contacts.lists.*', 'sandbox.*', 'sandbox.messages.html'],
    origin: 'https://app.example.com',
    share: 1,
    maxBodyBytes: 1_000,
    signedUrls: true,
    onRefused: ({ reason, operation, status, request }) => [reason, operation, status, request.url],
    onFailure: ({ operation, error, status, request }) => [operation, error, status, request.url],
  };
  const proxy: EmailProxy = createProxy(options);
  const server = createServer(toNodeListener(proxy));
  const page = new EmailPlatform({ hosts: proxyHosts('/email') });

  // @ts-expect-error no such operation
  const misspelt = createProxy({ ...options, allow: ['campaigns.lists'] });
  // @ts-expect-error no such resource
  const resource = createProxy({ ...options, allow: ['campaign.*'] });
  // @ts-expect-error everything is no resource
  const everything = createProxy({ ...options, allow: ['*'] });
  // @ts-expect-error a visitor has a name
  const nobody = createProxy({ ...options, authorize: () => ({ accountId: 7 }) });
  // @ts-expect-error true is nobody
  const anybody = createProxy({ ...options, authorize: () => true });
  // @ts-expect-error a token is no client
  const token = createProxy({ ...options, client: 'token' });
  return [server, page, misspelt, resource, everything, nobody, anybody, token];
}
