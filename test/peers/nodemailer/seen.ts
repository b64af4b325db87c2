import PostalMime, { type Email } from 'postal-mime';

/** Headers that say how a message is written, those that whoever sends it writes, and those compared as fields. */
const OTHERS = /^(content-.*|mime-version|date|message-id|received|from|to|cc|reply-to|subject)$/;

/** As the guide says: the members of a group are recipients of their own. */
const membersOf = (addresses: Email['to']) =>
  addresses?.flatMap((address) => ('group' in address && address.group ? address.group : [address]));

/** By name; as the guide says, several headers of a mailing list are one. */
function headersOf({ headers }: Email) {
  const byName = new Map<string, string>();
  for (const { key, value } of [...headers].reverse().filter((one) => !OTHERS.test(one.key))) {
    const before = byName.get(key);
    byName.set(key, before === undefined ? value : `${value}, ${before}`);
  }
  return Object.fromEntries(byName);
}

/** What the recipient of a raw message sees, field by field. */
export async function seenIn(raw: Uint8Array) {
  const email = await PostalMime.parse(raw);
  const lines = (text?: string) => text?.replace(/\r\n/g, '\n').trimEnd();
  return {
    from: email.from,
    to: membersOf(email.to),
    cc: email.cc,
    bcc: email.bcc,
    replyTo: email.replyTo,
    subject: email.subject,
    text: lines(email.text),
    html: lines(email.html),
    inReplyTo: email.inReplyTo,
    references: email.references,
    headers: headersOf(email),
    attachments: email.attachments
      .map(({ filename, mimeType, disposition, contentId, content }) => ({
        filename,
        mimeType,
        disposition,
        contentId,
        content: Buffer.from(content as ArrayBuffer).toString('base64'),
      }))
      .sort((one, other) => String(one.filename).localeCompare(String(other.filename))),
  };
}
