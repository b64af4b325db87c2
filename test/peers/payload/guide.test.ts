import { expect } from 'vitest';
import { ambient } from '../../docs/ambient.ts';
import { testPeerSnippets } from '../../support/peer-snippets.ts';

/** The adapter, as Payload uses it. */
interface Exported {
  readonly email: Promise<(payload: object) => { sendEmail(message: object): Promise<unknown> }>;
}

testPeerSnippets('payload', 1, undefined, async (module) => {
  const adapter = (await (module as Exported).email)({});
  await adapter.sendEmail({ to: 'ann@example.org', subject: 'Reset', html: '<p>Reset your password.</p>' });
  expect(ambient.emulator().messages()).toMatchObject([
    { from: 'hello@mail.example.com', to: 'ann@example.org', html: '<p>Reset your password.</p>' },
  ]);
  // The token was not checked at the start.
  expect(ambient.emulator().requests.map(({ method }) => method)).toEqual(['POST']);
});
