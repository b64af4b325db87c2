/** The client that sends the shop's emails. */
import { EmailPlatform, type EmailPlatformOptions } from 'email-platform';
import type { Journal } from 'email-platform/journal';

/** The kind of deployment: `local` sends to an emulator, `staging` has copies of real addresses. */
export type Stage = 'local' | 'staging' | 'production';

/** In staging, colleagues receive their email, and the team receives everybody else's. */
const STAGING = { allow: ['@shop.example.com'], otherwise: { redirectTo: 'team@shop.example.com' } };

/** Makes the client. `connection` is empty in a deployment, whose environment has the token and the hosts. */
export function createMailer(
  stage: Stage,
  journal: Journal,
  connection: EmailPlatformOptions = {},
): EmailPlatform {
  return new EmailPlatform({
    ...connection,
    journal,
    defaults: { from: 'The Gardeners <shop@mail.example.com>' },
    recipients: stage === 'staging' ? STAGING : undefined,
  });
}
