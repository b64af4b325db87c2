import { createRequire } from 'node:module';
import { expect } from 'vitest';
import { ambient } from '../../docs/ambient.ts';
import { testPeerSnippets } from '../../support/peer-snippets.ts';

/** The provider, as Strapi uses it. */
interface Provider {
  init(
    options: object,
    settings: object,
  ): { send(email: object): Promise<unknown>; verify(): Promise<unknown> };
}
const provider = createRequire(import.meta.url)('@strapi/provider-email-nodemailer') as Provider;

interface Exported {
  default(): { email: { config: { providerOptions: object; settings: object } } };
}

testPeerSnippets('strapi', 1, undefined, async (module) => {
  const { providerOptions, settings } = (module as Exported).default().email.config;
  // As it is, and as a program passes on options.
  for (const options of [providerOptions, { ...providerOptions }]) {
    const mailer = provider.init(options, settings);
    await mailer.send({
      to: 'ann@example.org',
      subject: 'Reset',
      text: 'Reset it.',
      html: '<p>Reset it.</p>',
    });
    expect(await mailer.verify()).toBe(true);
    const attachments = [{ filename: 'a.txt', path: import.meta.filename }];
    const refused = mailer.send({ to: 'ann@example.org', subject: 'A file', text: 'T', attachments });
    await expect(refused).rejects.toThrow('disableFileAccess is set');
  }
  const email = { from: 'hello@mail.example.com', to: 'ann@example.org', html: '<p>Reset it.</p>' };
  expect(ambient.emulator().messages()).toMatchObject([email, email]);
});
