import { listed, type MailCheck } from '../../records/checked-mail.ts';

/** A variable that left a gap in the mail, or that the template does not use. */
export const variables: MailCheck = ({ mail: { template } }) => {
  if (template === null) return [];
  const { missing, unused } = template;
  const passed =
    unused.length === 0
      ? ''
      : `the call passed ${listed(unused.map((name) => `\`${name}\``))}, which the template does not use`;
  if (missing.length === 0)
    return passed === '' ? [] : [{ level: 'warn', message: passed.replace('the', 'The') }];
  const empty = `${listed(missing.map((name) => `{{${name}}}`))} ${missing.length === 1 ? 'was' : 'were'} empty`;
  return [{ level: 'error', message: passed === '' ? empty : `${empty}; ${passed}` }];
};
