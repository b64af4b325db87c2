// The functions that must work in every runtime: in memory, and over a socket to the emulator of another process.
import {
  ConnectionError,
  EmailPlatform,
  NotFoundError,
  TimeoutError,
  ValidationError,
  VERSION,
} from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { readWebhook, WebhookSignatureError } from 'email-platform/webhooks';

const FROM_ASYNC = 'fromAsync' in Array;

function check(holds, what) {
  if (!holds) throw new Error(`Not so: ${what}`);
}

async function failure(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It should have failed');
}

const campaign = (domain_id) => ({
  name: 'Spring',
  domain_id,
  from_local_part: 'news',
  template_attributes: { subject: 'Hello', body_html: '<p>Hello</p>' },
});

/** The calls of a day, on whichever client. */
async function useCampaigns(client, domainId) {
  const { id } = await client.campaigns.create(campaign(domainId));
  check(
    (await client.campaigns.get(id)).template.body_html === '<p>Hello</p>',
    'a campaign comes back whole',
  );
  const names = [];
  for await (const one of client.campaigns.list({ per_page: 1 })) names.push(one.name);
  check(names[0] === 'Spring', 'the newest campaign comes first');
  if (FROM_ASYNC) {
    const all = await Array.fromAsync(client.campaigns.list({ per_page: 1 }), ({ name }) => name);
    check(all.join() === names.join(), 'Array.fromAsync reads a list');
  }
  const invalid = await failure(client.campaigns.create({ ...campaign(domainId), name: '' }));
  check(
    invalid instanceof ValidationError && 'name' in invalid.fieldErrors,
    'a validation error names its field',
  );
  const { response } = await client.campaigns.get(id).withResponse();
  check(response.rateLimit.limit === 150, 'the rate limit is read');
  await client.campaigns.delete(id);
  check((await failure(client.campaigns.get(id))) instanceof NotFoundError, 'a deleted campaign is gone');
}

/** A message that arrives, as a receiver of webhooks hears of it. */
async function receiveWebhook() {
  const outcomes = [];
  let secret = '';
  const receive = async (request) => {
    const options = { secret };
    const forged = { payload: '{}', headers: request.headers };
    outcomes.push(await failure(readWebhook(forged, options)), ...(await readWebhook(request, options)));
    return new Response(null, { status: 200 });
  };
  const emulator = createEmulator({ webhooks: { receive } });
  const client = new EmailPlatform(emulator.clientOptions());
  const hook = { url: 'https://receiver.test/', webhook_type: 'inbound_receiving' };
  secret = (await client.webhooks.create(hook)).signing_secret;
  emulator.inbound.receive({ to: emulator.inbound.add().address, from: 'ann@example.org' });
  emulator.clock.advance(30_000);
  await emulator.webhooks.settled();
  const [refused, event] = outcomes;
  check(refused instanceof WebhookSignatureError, `a forged post is refused, not ${refused}`);
  check(event?.event_type === 'inbound.message_received', 'a webhook is verified and read');
}

/** Runs everything; what fails throws. The emulator at `connection` never answers for 777, and redirects 778. */
export async function smoke({ connection, domainId }) {
  const emulator = createEmulator();
  const ownDomain = emulator.domains.list().find(({ verified }) => verified).id;
  await useCampaigns(new EmailPlatform(emulator.clientOptions()), ownDomain);
  await receiveWebhook();
  const client = new EmailPlatform({ ...connection, retry: false });
  await useCampaigns(client, domainId);
  const late = await failure(client.campaigns.get(777, { timeoutMs: 200 }));
  check(late instanceof TimeoutError, `a call ends in time, not with ${late}`);
  const redirected = await failure(client.campaigns.get(778));
  check(redirected.code === 'redirect_refused', `a redirect is refused, not ${redirected}`);
  const aborted = await failure(client.campaigns.get(1, { signal: AbortSignal.abort() }));
  check(aborted.name === 'AbortError', `a signal ends a call, not ${aborted}`);
  const nowhere = new EmailPlatform({ ...connection, hosts: { api: 'http://127.0.0.1:9' }, retry: false });
  const unreached = await failure(nowhere.campaigns.get(1));
  check(unreached instanceof ConnectionError, `nobody listens, but ${unreached}`);
  return `email-platform ${VERSION} works${FROM_ASYNC ? ' with Array.fromAsync' : ''}`;
}
