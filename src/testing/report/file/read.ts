/** Reads the data in the file of a report. */
import { jsonOf } from '../../../kit/json-of.ts';
import { REPORT_VERSION, type ReportData } from '../data/data.ts';
import { isObject } from '../../declare/kind.ts';

/** The element with the data, as a report has it. */
const START = '<script type="application/json" id="report">';

/** The data of a report's page; the version of a report of another one; `undefined` if a part of it is not there. */
function dataOf(html: string): ReportData | { readonly otherVersion: number } | undefined {
  const start = html.indexOf(START);
  const end = html.indexOf('</script>', start);
  const data = start < 0 ? undefined : jsonOf(html.slice(start + START.length, end));
  if (isReport(data)) return data;
  const { version, mails } = Object(data) as { version?: unknown; mails?: unknown };
  const isOther = Array.isArray(mails) && Number.isInteger(version) && version !== REPORT_VERSION;
  return isOther ? { otherVersion: Number(version) } : undefined;
}

const isMoment = (value: unknown) => typeof value === 'number' && Math.abs(value) <= 8.64e15;

const areTexts = (one: unknown, names: readonly string[]): boolean =>
  isObject(one) && names.every((name) => typeof one[name] === 'string');
const isTextOrNull = (value: unknown) => value === null || typeof value === 'string';
const areAll = (values: unknown, test: (value: unknown) => boolean): boolean =>
  Array.isArray(values) && values.every(test);
const isAddress = (one: unknown) => isObject(one) && areTexts(one, ['email']) && isTextOrNull(one.name);

/** Whether a mail has the parts that are read: the file may come from anybody. */
const isMail = (mail: unknown): boolean =>
  isObject(mail) &&
  areTexts(mail, ['kind', 'from', 'to', 'subject']) &&
  [mail.html, mail.text, mail.fromName, mail.toName].every(isTextOrNull) &&
  isObject(mail.recipients) &&
  areAll(mail.recipients.to, isAddress) &&
  areAll(mail.recipients.cc, isAddress) &&
  areAll(mail.headers, (pair) => areAll(pair, (one) => typeof one === 'string')) &&
  areAll(mail.links, (link) => areTexts(link, ['url', 'text'])) &&
  areAll(mail.attachments, (file) => areTexts(file, ['filename', 'type']));

const isKind = (kind: unknown): boolean => areTexts(kind, ['id', 'name', 'by']);
const isFinding = (finding: unknown): boolean => areTexts(finding, ['level', 'check', 'kind', 'message']);

function isReport(data: unknown): data is ReportData {
  if (
    !isObject(data) ||
    data.version !== REPORT_VERSION ||
    !isObject(data.omitted) ||
    !isMoment(data.writtenAt)
  )
    return false;
  const lists = ['kinds', 'mails', 'requests', 'limits', 'posts', 'findings'];
  const areItems = lists.every((name) => Array.isArray(data[name]) && data[name].every(isObject));
  const timed = [data.mails, data.requests, data.posts].flat() as Readonly<Record<string, unknown>>[];
  return (
    areItems &&
    (data.mails as unknown[]).every(isMail) &&
    (data.kinds as unknown[]).every(isKind) &&
    (data.findings as unknown[]).every(isFinding) &&
    timed.every(({ id, at, clockAt }) => typeof id === 'string' && isMoment(at) && isMoment(clockAt)) &&
    (data.requests as { mails?: unknown }[]).every(({ mails }) => Array.isArray(mails)) &&
    (data.findings as { ids?: unknown }[]).every(({ ids }) => Array.isArray(ids))
  );
}

/** The data in the file of a report. */
export async function dataIn(file: string): Promise<ReportData> {
  const { readFile } = await import('node:fs/promises');
  let html: string;
  try {
    html = await readFile(file, 'utf8');
  } catch (cause) {
    const { message } = Object(cause) as { message?: unknown };
    throw new Error(`The report ${file} cannot be read: ${String(message)}`, { cause });
  }
  const data = dataOf(html);
  if (data === undefined)
    throw new Error(`${file} is no report of this version: it has no data of version ${REPORT_VERSION}`);
  if (!('otherVersion' in data)) return data;
  const other = data.otherVersion < REPORT_VERSION ? 'an earlier' : 'a later';
  throw new Error(
    `${file} has data of version ${data.otherVersion}, and this package reads version ${REPORT_VERSION}: write it again with this package, or read it with ${other} one`,
  );
}
