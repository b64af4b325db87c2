import { EmailPlatform, InvalidRequestError, oneClickUnsubscribe } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { expect, test } from 'vitest';

test('the two headers of an email are made from its address', async () => {
  const emulator = createEmulator();
  const client = new EmailPlatform(emulator.clientOptions());
  const headers = oneClickUnsubscribe('https://shop.example.com/unsubscribe?token=7f3a');
  const email = {
    from: 'news@mail.example.com',
    to: 'ann@example.org',
    subject: 'News',
    text: 'News',
    headers,
  };
  await client.sending.send(email, { stream: 'bulk' });
  await client.sending.batch({ requests: [email] });
  await client.sending.batchAll([email]);
  expect(emulator.messages().map((message) => message.headers)).toEqual([headers, headers, headers]);
  expect(headers).toEqual({
    'List-Unsubscribe': '<https://shop.example.com/unsubscribe?token=7f3a>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
});

test('letters beyond ASCII are encoded, because a header has none', () => {
  expect(oneClickUnsubscribe('https://bücher.example/ab?für=ann')['List-Unsubscribe']).toBe(
    '<https://xn--bcher-kva.example/ab?f%C3%BCr=ann>',
  );
});

test.each([
  'http://shop.example.com/u',
  'https:shop.example.com',
  'shop.example.com/u',
  '/u?token=1',
  'https://',
  'https:///u',
  'https://ann@shop.example.com/u',
  'https://ann:x@shop.example.com/u',
  'https://:x@shop.example.com/u',
  'https://shop.example.com/u\r\nBcc: ben@example.org',
  'https://shop.example.com/u\n',
  ' https://shop.example.com/u',
  'https://shop.example.com/u v',
  'https://shop.example.com/u>, <https://other.example',
  '<https://shop.example.com/u>',
  'https://shop.example.com\\u',
  'mailto:stop@shop.example.com',
  'https://shop.example.com:99999/u',
  '',
  undefined,
  ['https://shop.example.com/u'],
  new URL('https://shop.example.com/u'),
])('%j is refused, and the error has the rule', (url) => {
  const call = () => oneClickUnsubscribe(url as string);
  expect(call).toThrow(InvalidRequestError);
  expect(call).toThrow(/^oneClickUnsubscribe was not sent: url: must be one absolute https address/);
});
