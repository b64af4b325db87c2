import { testPeerSnippets } from '../../support/peer-snippets.ts';

const types = `${import.meta.dirname}/node_modules/nodemailer/dist/esm`;

// The sources add fields to nodemailer's types, and are not in this folder.
const paths = { nodemailer: [`${types}/nodemailer.d.ts`], 'nodemailer/lib/*': [`${types}/*`] };
testPeerSnippets('nodemailer', 5, { paths });
