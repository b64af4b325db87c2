/** The lines of a running emulator: one for each call that sends emails, and one for each refusal. */
import type { News } from '../testing/report/collect/news.ts';
import { coloursOf } from './colours.ts';
import { shortLine } from './short-line.ts';
import type { Surroundings } from './surroundings.ts';

/** The most bytes of a subject. */
const MOST = 100;

/** The most bytes of a reason, which may name the remedy. */
const MOST_OF_REASON = 600;

/** Makes the line of an email or a refusal: `17:05:04  Confirm your address → ann@example.org  #37`. */
export function lineOf(news: News, surroundings: Surroundings): string {
  const time = new Date(news.at).toTimeString().slice(0, 8);
  if ('subject' in news) {
    const { id, more } = news;
    const subject = shortLine(news.subject, MOST);
    const to = `${shortLine(news.to, MOST)}${more === 0 ? '' : ` and ${more} more`}`;
    return `${time}  ${subject === '' ? 'No subject' : subject} → ${to}  #${id}${more === 0 ? '' : `–${id + more}`}\n`;
  }
  const { red } = coloursOf(surroundings, 'err');
  const request = shortLine(`${news.method} ${news.path}`, MOST);
  const reason = news.reason === null ? '' : `  ${shortLine(news.reason, MOST_OF_REASON)}`;
  return `${time}  ${red(`${news.status ?? '—'} ${request}`)}${reason}\n`;
}
