import { testPeerSnippets } from '../../support/peer-snippets.ts';

testPeerSnippets('render', 2);
