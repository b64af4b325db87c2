import { testPeerSnippets } from '../../support/peer-snippets.ts';

testPeerSnippets('payload', 1);
