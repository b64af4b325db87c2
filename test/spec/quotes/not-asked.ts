/** Quotations that no request can ask of the emulator, with the reason. */
export const NOT_ASKED: Readonly<Record<string, string>> = {
  '500 { "errors": "Unexpected error" }':
    'the emulator has no failure of its own; a fault has the body that a test gives it',
  'cannot update body_html of template created within UI editor':
    'no request makes such a template; the test of templates makes one by a control',
  'the pixel after the footer': 'an address decides whether its email is opened, so no pixel is needed',
  'the header with the version of the API': 'undocumented, and named after the vendor',
  'the header with the signature of a webhook': 'named after the vendor; an option sets it',
  '409 Contact exists': 'undecided: recorded as 422',
  'names of contact fields of at most 50 characters':
    'undecided: a guide against the reference, which has 80',
  '"disposition": "" of a file': 'undecided: one client sends it',
  'the contact status "Pending"': 'on a web page only',
  'at most 150,000 emails_per_hour': 'undecided: on a web page only',
  SMTP: 'the emulator has no SMTP',
};
