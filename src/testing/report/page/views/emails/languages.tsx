import type { ReportMail } from '../../../data/data.ts';
import { useDetails } from '../../live/live.ts';
import { hashOf } from '../../parts/route.ts';
import { Verbatim } from '../../widgets/parts.tsx';
import { Frame } from './mail-html.tsx';

/** A mail in each language of its template, by language: this one, and the newest of each other language. */
export function languagesOf(mail: ReportMail, mails: readonly ReportMail[]): readonly ReportMail[] {
  const found = new Map<string, ReportMail>();
  for (const one of [mail, ...mails]) {
    const locale = one.template?.locale;
    if (locale !== undefined && one.kind === mail.kind && !found.has(locale)) found.set(locale, one);
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
}

/** Mails of one template side by side, a column for each language. */
export const Languages = ({ mails }: { mails: readonly ReportMail[] }) => (
  <div class="languages">
    {mails.map((mail) => (
      <Column key={mail.id} mail={mail} />
    ))}
  </div>
);

function Column({ mail: listed }: { mail: ReportMail }) {
  const { item: mail, isWhole } = useDetails('mails', listed);
  const locale = mail.template?.locale ?? '';
  return (
    <section lang={locale} aria-label={locale}>
      <h3>
        {locale} · <a href={hashOf('mails', mail.id)}>{mail.subject === '' ? 'No subject' : mail.subject}</a>
      </h3>
      {isWhole &&
        (mail.html === null ? (
          <Verbatim text={mail.text ?? ''} label="Text of the mail" />
        ) : (
          <Frame mail={mail} width="phone" scheme="light" label={`The email in ${locale}`} />
        ))}
    </section>
  );
}
