import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ReportMail } from '../../../data/data.ts';
import { bytes } from '../../parts/format.ts';
import { useLive } from '../../live/live.ts';
import { hasRemoteImages, mailDocument } from '../../parts/mail-document.ts';
import { partsOfHtml } from '../../parts/marked.ts';
import { isDark as isDarkPage } from '../../parts/theme.ts';

/** The most characters of HTML that are shown without a click. A browser needs seconds to show more. */
const AT_ONCE = 1_000_000;

interface ChoiceProps {
  readonly label: string;
  readonly names: readonly [string, string];
  readonly isSecond: boolean;
  readonly choose: (isSecond: boolean) => void;
}

/** A switch between two looks. */
export function Choice({ label, names, isSecond, choose }: ChoiceProps) {
  return (
    <span class="choice" role="group" aria-label={label}>
      {names.map((name, at) => (
        <button
          key={name}
          type="button"
          aria-pressed={isSecond === (at === 1)}
          onClick={() => choose(at === 1)}
        >
          {name}
        </button>
      ))}
    </span>
  );
}

export const NoDarkStyles = ({ html }: { html: string }) =>
  html.includes('color-scheme') ? null : <span class="quiet">This email has no dark styles.</span>;

interface Look {
  readonly width: 'desktop' | 'phone';
  readonly scheme: 'light' | 'dark';
}

/** The least width of a desktop's window, and the width of a phone's, in pixels. */
const DESKTOP = 640;
export const PHONE = 375;
/** The margins of an email's body, both together. */
const MARGINS = 16;

/** The width in pixels that the tags of an email ask for; 0 for one whose style sheet knows narrow windows. */
function widthOf(html: string): number {
  const page = new DOMParser().parseFromString(html, 'text/html');
  if (page.querySelector('style')?.textContent.includes('(max-width') === true) return 0;
  const widths = [...page.querySelectorAll<HTMLElement>('table, td, th, div, img')].flatMap((one) => {
    const { width, minWidth, maxWidth } = one.style;
    const own = width === '' ? (one.getAttribute('width') ?? '') : width;
    return [minWidth, maxWidth === '' ? own : ''];
  });
  return widths.reduce((most, text) => Math.max(most, Number(text.replace('px', '')) || 0), 0);
}

/**
 * A frame with the HTML of an email, without scripts. Links of a served document open; those of a document in a file do not.
 */
export function Stage({
  label,
  title,
  width,
  scheme,
  source,
  html,
}: Look & {
  html: string;
  label: string;
  title: string;
  source: { readonly src: string } | { readonly srcDoc: string };
}) {
  const stage = useRef<HTMLDivElement>(null);
  const isPhone = width === 'phone';
  const own = useMemo(() => (isPhone ? widthOf(html) : 0), [html, isPhone]);
  const least = !isPhone ? DESKTOP : own > PHONE ? own + MARGINS : PHONE;
  useLayoutEffect(() => {
    const { current } = stage;
    if (current === null) return;
    const observer = new ResizeObserver(() => {
      const room = isPhone ? Math.min(PHONE, current.clientWidth) : current.clientWidth;
      current.style.setProperty('--least', `${least}px`);
      current.style.setProperty('--scale', String(Math.min(1, room / least)));
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [least, isPhone]);
  return (
    <>
      {own > PHONE && <p class="quiet">This email is {own} px wide. It is scaled, as most phones do.</p>}
      <div class="stage" ref={stage} tabIndex={0} role="region" aria-label={label}>
        <iframe
          class={`${width} ${scheme}`}
          title={title}
          sandbox={'src' in source ? 'allow-popups allow-popups-to-escape-sandbox' : ''}
          referrerpolicy="no-referrer"
          {...source}
        />
      </div>
    </>
  );
}

/** The HTML of an email, as it looks to a reader. */
export function Frame({
  mail,
  width,
  scheme,
  hasImages = false,
  label = 'The email',
}: Look & {
  mail: ReportMail;
  hasImages?: boolean;
  label?: string;
}) {
  const live = useLive();
  const document = useMemo(() => (live ? '' : mailDocument(mail, scheme)), [mail, scheme]);
  const address = `live/mails/${encodeURIComponent(mail.id)}/html?scheme=${scheme}${hasImages ? '&images=true' : ''}`;
  return (
    <Stage
      key={address}
      html={mail.html ?? ''}
      label={label}
      title={`HTML of ${mail.subject}`}
      width={width}
      scheme={scheme}
      source={live ? { src: address } : { srcDoc: document }}
    />
  );
}

/** The HTML of a mail in a frame, with switches for its look. */
export function Html({ mail, showLinks }: { mail: ReportMail; showLinks: () => void }) {
  const [isPhone, setPhone] = useState(() => innerWidth < 700);
  const [isDark, setDark] = useState(isDarkPage);
  const [isWanted, setWanted] = useState((mail.html?.length ?? 0) <= AT_ONCE);
  const [hasImages, setImages] = useState(false);
  const live = useLive();
  const scheme = isDark ? 'dark' : 'light';
  const isRemote = useMemo(() => hasRemoteImages(mail.html ?? ''), [mail]);
  if (mail.html === null) return <p class="placeholder">This email has no HTML.</p>;
  if (!isWanted)
    return (
      <p class="placeholder">
        This mail has {bytes(mail.html.length)} of HTML.{' '}
        <button type="button" onClick={() => setWanted(true)}>
          Show it
        </button>
      </p>
    );
  return (
    <>
      <div class="tools">
        <Choice label="Width" names={['Desktop', 'Phone']} isSecond={isPhone} choose={setPhone} />
        <Choice label="Scheme" names={['Light', 'Dark']} isSecond={isDark} choose={setDark} />
        {live && isRemote && !hasImages && (
          <button type="button" onClick={() => setImages(true)}>
            Load images
          </button>
        )}
        {!live && isRemote && <span class="quiet">Remote images are not loaded in a file.</span>}
        {!live && mail.links.length > 0 && (
          <span class="quiet">
            Links open nothing in a file.{' '}
            <button type="button" onClick={showLinks}>
              List the links
            </button>
          </span>
        )}
        {isDark && <NoDarkStyles html={mail.html} />}
        <span class="quiet size">
          {(isPhone ? `${PHONE} px · ` : '') + bytes(new TextEncoder().encode(mail.html).length)}
        </span>
      </div>
      <Frame mail={mail} width={isPhone ? 'phone' : 'desktop'} scheme={scheme} hasImages={hasImages} />
    </>
  );
}

/** The most characters with colours: each part is an element. */
const COLOURED = 200_000;

/** The source of a mail's HTML, with colours. */
export function HtmlSource({ html }: { html: string }) {
  const parts = useMemo(() => partsOfHtml(html.slice(0, COLOURED)), [html]);
  return (
    <pre class="verbatim" tabIndex={0} role="region" aria-label="Source of the HTML">
      {parts.map(([part, text], at) =>
        part === 'text' ? (
          text
        ) : (
          <span key={at} class={`html-${part}`}>
            {text}
          </span>
        ),
      )}
      {html.slice(COLOURED)}
    </pre>
  );
}
