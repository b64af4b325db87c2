import type { EmailPlatform } from 'email-platform';
import { useState } from 'preact/hooks';
import { client, inbox } from './client.ts';
import { Problem } from './problem.tsx';

const time = new Intl.DateTimeFormat('en', { timeStyle: 'medium' });

/** Sends a campaign to the test inbox, and shows the email that arrived there. */
export function TestMail({ campaign }: { readonly campaign: EmailPlatform.Campaign }) {
  const [step, setStep] = useState('');
  const [mail, setMail] = useState<{ readonly html: string; readonly subject: string }>();
  const [error, setError] = useState<unknown>();

  const run = async () => {
    setError(undefined);
    setMail(undefined);
    try {
      const { subject, body_html: html } = campaign.template;
      const to = `test-${crypto.randomUUID()}@example.org`;
      setStep('Sending …');
      await client.sending.send(
        {
          from: {
            email: `${campaign.from_local_part}@${campaign.domain_name}`,
            name: campaign.from_display_name ?? '',
          },
          to: [{ email: to }],
          subject,
          html: html ?? `<h1>${subject}</h1>`,
        },
        { stream: 'sandbox' },
      );
      setStep('Sent; waiting until it arrives …');
      const message = await client.sandbox.messages.waitFor(
        { inbox, to },
        { deadlineMs: 20_000, pollMs: 500 },
      );
      setMail({ html: await client.sandbox.messages.html(inbox, message.id), subject: message.subject });
      setStep(`Arrived at ${time.format(new Date(message.created_at))}.`);
    } catch (failure) {
      setStep('');
      setError(failure);
    }
  };

  return (
    <section aria-labelledby="test">
      <h2 id="test">Test mail</h2>
      <p>It goes to a test inbox, and to nobody else.</p>
      <p>
        <button type="button" disabled={step.endsWith('…')} onClick={() => void run()}>
          Send a test mail
        </button>{' '}
        <span role="status">{step}</span>
      </p>
      {error !== undefined && <Problem error={error} retry={() => void run()} />}
      {/* A mail is untrusted: the sandbox allows no scripts. */}
      {mail && <iframe class="mail" sandbox="" srcdoc={mail.html} title={`The mail "${mail.subject}"`} />}
    </section>
  );
}
