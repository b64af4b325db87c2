import { writeGuides } from './snippets.ts';

// npm run typecheck: writes the snippets of the guides, which tsconfig.json includes.
writeGuides();
