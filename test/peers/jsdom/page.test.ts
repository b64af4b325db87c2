import { EmailPlatform } from 'email-platform';
import { createEmulator } from 'email-platform/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const mail = { from: 'hello@mail.example.com', to: 'ann@example.org', subject: 'Hi', text: 'Hi.' };

describe('In a page that jsdom emulates', () => {
  let leave: () => void;
  beforeAll(async () => {
    // What needs jsdom is no module of the project, which is compiled without it.
    const { enterPage } = (await import(`${import.meta.dirname}/enter-page.mjs`)) as {
      enterPage: () => () => void;
    };
    leave = enterPage();
  });
  afterAll(() => {
    leave();
  });

  test('this is one', () => {
    expect(document.createElement('p').outerHTML).toBe('<p></p>');
    expect(navigator.userAgent).toContain('jsdom');
  });

  test('a client of an emulator in memory works: its fetch reaches nothing else', async () => {
    const emulator = createEmulator({ seed: 'demo' });
    const client = new EmailPlatform(emulator.clientOptions());
    const { signal } = new AbortController();
    await client.sending.send(mail, { signal });
    await client.sending.send({ ...mail, attachments: [{ filename: 'a.txt', content: btoa('x') }] });
    expect(emulator.messages().map(({ attachments }) => attachments.length)).toEqual([0, 1]);
    expect(await client.campaigns.list().toArray({ limit: 120 })).toHaveLength(120);
  });

  test('a token for any other address is refused, and the message says what to do', () => {
    const { token } = createEmulator().clientOptions();
    expect(() => new EmailPlatform({ token, hosts: { api: 'https://api.test' } })).toThrow(
      /^token must not be used in a browser.*in a test, run this file in the node environment$/,
    );
  });
});
