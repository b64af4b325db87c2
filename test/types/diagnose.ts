import type { EmailPlatform } from 'email-platform';
import { diagnose, whyNoMail, type Diagnosis, type Finding, type WhyNoMail } from 'email-platform/diagnose';
import type { Same } from './same.ts';

export async function right(client: EmailPlatform): Promise<unknown> {
  const found: WhyNoMail = await whyNoMail(client, 'ann@example.org');
  const { reachable, reasons } = await whyNoMail(client, 'ann@example.org', {
    days: 7,
    from: 'hello@mail.example.com',
    stream: 'bulk',
  });
  const is: Same<typeof reachable, boolean | null> = true;
  const suppressions: EmailPlatform.Suppression[] = reasons.flatMap((reason) =>
    reason.kind === 'suppression' ? [reason.suppression] : [],
  );
  const diagnosis: Diagnosis = await diagnose(client, { signal: AbortSignal.timeout(9_000) });
  const remedies = diagnosis.findings.map(({ remedy }: Finding): string | undefined => remedy);
  return [remedies, found.mails?.[0]?.events, is, suppressions];
}

export async function wrong(client: EmailPlatform): Promise<unknown> {
  return [
    // @ts-expect-error no such option
    await diagnose(client, { send: 'ann@example.org' }),
    // @ts-expect-error the address is required
    await whyNoMail(client),
    // @ts-expect-error no such stream
    await whyNoMail(client, 'ann@example.org', { stream: 'both' }),
    // @ts-expect-error no such option
    await whyNoMail(client, 'ann@example.org', { sender: 'x' }),
    // @ts-expect-error it is no client
    await whyNoMail({}, 'ann@example.org'),
    // @ts-expect-error its signed URL is left out
    (await whyNoMail(client, 'ann@example.org')).mails?.[0]?.raw_message_url,
  ];
}
