import type { ReportData } from '../../report/data.ts';
import { Mask } from './mask.ts';
import { personsIn } from './persons.ts';

/** The same data without the addresses of persons, and without attachments, which might name them. */
export function masked(data: ReportData): ReportData {
  const mask = new Mask(personsIn(data));
  const mails = data.mails.map(({ source, attachments, ...mail }) => ({
    ...mail,
    source: source === null ? null : withoutAttachments(source),
    attachments: attachments.map((file) => ({ ...file, content: null })),
  }));
  return { ...(inAll({ ...data, mails }, mask) as ReportData), addresses: 'masked' };
}

/** A copy of a value of JSON with every text masked. */
function inAll(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask.text(value);
  if (Array.isArray(value)) return value.map((one) => inAll(one, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inAll(one, mask)]));
}

const LEFT_OUT = '(left out, as addresses are masked)';

/** A raw message without the content of its attachments. */
export function withoutAttachments(source: string): string {
  const boundaries = new Set<string>();
  const kept: string[] = [];
  let headers: string[] | undefined = [];
  let isLeftOut = false;
  for (const line of source.split(/\r?\n/)) {
    if (line.startsWith('--') && boundaries.has(line.slice(2).replace(/(?:--)?\s*$/, ''))) {
      headers = [];
      isLeftOut = false;
      kept.push(line);
    } else if (headers === undefined) {
      if (!isLeftOut) kept.push(line);
    } else if (line === '') {
      const head = headers.join('\n').replace(/\n[ \t]+/g, ' ');
      const [, boundary] = /^content-type:.*boundary="?([^";\n]+)/im.exec(head) ?? [];
      if (boundary !== undefined) boundaries.add(boundary.trim());
      const [, type = 'text/plain'] = /^content-type:\s*([\w/.+-]+)/im.exec(head) ?? [];
      isLeftOut = !/^(?:text|multipart)\//i.test(type) || /^content-disposition:\s*attachment/im.test(head);
      headers = undefined;
      kept.push('', ...(isLeftOut ? [LEFT_OUT] : []));
    } else {
      headers.push(line);
      kept.push(line);
    }
  }
  return kept.join('\r\n');
}
