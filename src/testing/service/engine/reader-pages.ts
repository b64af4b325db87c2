import { escapeHtml } from '../../../kit/escape-html.ts';
import type { EngineRequest } from '../wire/engine-request.ts';
import type { Reply } from '../wire/reply.ts';
import type { LogRecord } from '../state/emails/email-log.ts';
import type { Decision, ReaderLinks } from '../state/emails/reader-links.ts';

/** The parts that the pages need. */
export interface PageParts {
  readonly links: ReaderLinks;
  /** The message with this id in the log. */
  readonly find: (id: string) => LogRecord | undefined;
  /** Carries out a decision. A repetition changes nothing. */
  readonly decide: (decision: Decision, record: LogRecord, now: number) => void;
}

interface Words {
  readonly title: string;
  readonly question: string;
  readonly button: string;
  readonly done: string;
}

const WORDS: Readonly<Record<Decision, Words>> = {
  unsubscribe: {
    title: 'Unsubscribe',
    question: 'Do you want no more email like this?',
    button: 'Unsubscribe',
    done: 'You are unsubscribed',
  },
  'tracking-opt-out': {
    title: 'Tracking',
    question: 'Should the sender no longer see whether you open an email or click its links?',
    button: 'Stop tracking',
    done: 'You are no longer tracked',
  },
};

/**
 * The pages behind the links in emails. A GET shows a page with one button and changes nothing, because mail programs
 * open links in advance. A POST carries out the decision: that of the button, and the one-click POST of RFC 8058. The
 * pages need no session and no script.
 */
export class ReaderPages {
  readonly #parts: PageParts;

  constructor(parts: PageParts) {
    this.#parts = parts;
  }

  answer({ method }: Pick<EngineRequest, 'method'>, path: string, now: number): Reply {
    const { links, find, decide } = this.#parts;
    const [, name = '', id = '', signature = ''] =
      /^\/(unsubscribe|tracking-opt-out)\/([\da-f-]{36})\/([\da-f]+)$/.exec(path) ?? [];
    const record = find(id);
    const decision = name as Decision;
    if (record === undefined || !links.isSignature(signature, decision, record)) {
      return page(
        404,
        'This link is not valid',
        '<p>The email may be gone, or the link is not complete.</p>',
      );
    }
    const { title, question, button, done } = WORDS[decision];
    const { subject, from } = record.mail;
    const about = `<p>“${escapeHtml(subject ?? '')}” from ${escapeHtml(from)} to <b>${escapeHtml(record.to)}</b></p>`;
    if (method === 'POST') {
      decide(decision, record, now);
      return page(200, done, about);
    }
    if (method !== 'GET' && method !== 'HEAD') {
      return {
        ...page(405, title, '<p>Open this link in a browser.</p>'),
        headers: { ...HEADERS, allow: 'GET, HEAD, POST' },
      };
    }
    // The hidden field makes the button's POST the same as the one-click POST of a mail program.
    const form = `<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>${button}</button></form>`;
    return page(200, title, `${about}\n<p>${question}</p>\n${form}`);
  }
}

const HEADERS = {
  'content-security-policy':
    "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

function page(status: number, title: string, content: string): Reply {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<h1>${title}</h1>\n${content}</html>\n`;
  return { status, content: { type: 'text/html; charset=utf-8', body }, headers: HEADERS };
}
