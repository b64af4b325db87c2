import { expect, test } from 'vitest';
import { startShop } from './shop.ts';

const ISSUE = { subject: 'Spring is here', text: 'Time to sow.' };

/** A shop with two readers, who have the first issue. */
async function withReaders() {
  const shop = startShop();
  const ann = await shop.signedUp('ann@example.org');
  const ben = await shop.signedUp('ben@example.org');
  for (const visitor of [ann, ben]) await visitor.post('/news', {});
  await shop.news.send('1', ISSUE);
  const [message] = shop.emulator.messages({ to: 'ann@example.org', subject: ISSUE.subject });
  const link = /<([^>]*)>/.exec(message?.headers['List-Unsubscribe'] ?? '')?.[1] ?? '';
  const readers = async (issue: string) => {
    await shop.news.send(issue, { ...ISSUE, subject: issue });
    return shop.emulator.messages({ subject: issue }).map(({ to }) => to);
  };
  const post = (url: string, body: BodyInit) => shop.app.request(url, { method: 'POST', body });
  return { ...shop, ann, message, link, readers, post };
}

const click = () => new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });

test("a click on the mail program's button ends the subscription of its reader, and of no other", async () => {
  const { emulator, message, readers } = await withReaders();
  await emulator.unsubscribe(message ?? '');
  expect(await readers('after')).toEqual(['ben@example.org']);
});

test('a repeated click changes nothing', async () => {
  const { ann, emulator, message, readers } = await withReaders();
  await emulator.unsubscribe(message ?? '');
  await ann.post('/news', {});
  await emulator.unsubscribe(message ?? '');
  expect(await readers('after')).toEqual(['ben@example.org', 'ann@example.org']);
});

test('a scanner, a forged token and a post without the field end no subscription', async () => {
  const { app, link, post, readers } = await withReaders();
  expect((await app.request(link)).status).toBe(200);
  expect(
    (
      await post(
        link.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
        click(),
      )
    ).status,
  ).toBe(200);
  expect((await post(link, new URLSearchParams())).status).toBe(400);
  expect((await post(link, 'List-Unsubscribe=One-Click')).status).toBe(400);
  expect(await readers('after')).toEqual(['ann@example.org', 'ben@example.org']);
});

test('the button of the page ends it, too', async () => {
  const { app, link, post, readers } = await withReaders();
  expect(await (await app.request(link)).text()).toContain('name="List-Unsubscribe" value="One-Click"');
  await post(link, click());
  expect(await readers('after')).toEqual(['ben@example.org']);
});
