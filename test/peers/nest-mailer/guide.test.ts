import { testPeerSnippets } from '../../support/peer-snippets.ts';

testPeerSnippets('nest-mailer', 1, { experimentalDecorators: true });
